// What the verifiers of PTX by hand and of special registers say.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @inline_asm_c1(%x: i32) {
  // expected-error @+1 {{expected constraints such as `=r,r`, results first, of the letters b, h, r, l, f and d, found `q`}}
  %y = tile.inline_asm "", "q" pack = 1 (%x) : (i32) -> i32
  return
}

// -----

func.func @inline_asm_c1_tie_to_an_operand(%x: i32) {
  // expected-error @+1 {{found `=r,r,1`}}
  %y = tile.inline_asm "", "=r,r,1" pack = 1 (%x, %x) : (i32, i32) -> i32
  return
}

// -----

func.func @inline_asm_c1_count(%x: i32) {
  // expected-error @+1 {{expected 1 registers of results (`=r`) and 1 of operands, found constraints for 1 registers of results (`=r`) and 2 of operands}}
  %y = tile.inline_asm "", "=r,r,r,~{memory}" pack = 1 (%x) : (i32) -> i32
  return
}

// -----

func.func @inline_asm_c1_width(%x: i64) {
  // expected-error @+1 {{expected a register of 64 bits, found the constraint `r` of 32}}
  %y = tile.inline_asm "", "=l,r" pack = 1 (%x) : (i64) -> i64
  return
}

// -----

func.func @inline_asm_c1_pack(%x: i8) {
  // expected-error @+1 {{expected packs that fill registers, found 6 elements a pack and 4 a register}}
  %y = tile.inline_asm "", "=r,=r,r,r" pack = 6 (%x) : (i8) -> i8
  return
}

// -----

func.func @inline_asm_c1_no_pack(%x: i8) {
  // expected-error @+1 {{expected at least one element a pack}}
  %y = tile.inline_asm "", "=r,r" pack = 0 (%x) : (i8) -> i8
  return
}

// -----

func.func @inline_asm_c1_operand(%x: i32) {
  // expected-error @+1 {{expected each `$` of the text to be `$$`, or `$N` with a number below 2, of which there are constraints}}
  %y = tile.inline_asm "mov.b32 $0, $2;", "=r,r" pack = 1 (%x) : (i32) -> i32
  return
}

// -----

func.func @inline_asm_c1_braces(%x: i32) {
  // expected-error @+1 {{expected as many `}` as `{` in the text}}
  %y = tile.inline_asm "} {", "=r,r" pack = 1 (%x) : (i32) -> i32
  return
}

// -----

func.func @inline_asm_c1_zero(%x: i32) {
  // expected-error @+1 {{expected a text without zero bytes}}
  %y = tile.inline_asm "\00", "=r,r" pack = 1 (%x) : (i32) -> i32
  return
}

// -----

func.func @read_special_c1() {
  // expected-error @+1 {{expected an i32 of `smid`, found 'i64'}}
  %s = tile.read_special smid : i64
  return
}

// -----

func.func @extern_call_c1(%x: i32) {
  // expected-error @+1 {{expected the name of a function, found `a b`}}
  %y = tile.extern_call "a b" (%x) : (i32) -> i32
  return
}

// -----

func.func @extern_call_c1_digit(%x: i32) {
  // expected-error @+1 {{expected the name of a function, found `7`}}
  %y = tile.extern_call "7" (%x) : (i32) -> i32
  return
}

// -----

// expected-error @+1 {{expected `tile.libraries` on a module, of names, paths and digests}}
module @libraries_c1 attributes {tile.libraries = [["name", ""]]} {}

// -----

// expected-error @+1 {{expected `tile.libraries` on a module, of names, paths and digests}}
module @libraries_c1_path attributes {tile.libraries = [["name", "", ""]]} {}

// -----

// expected-error @+1 {{expected `tile.extern` on a function without a body, without a value}}
func.func @extern_c1() attributes {tile.extern} { return }
