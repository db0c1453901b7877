// Texts that the parser accepts, and the messages that refuse the rest.

#include "runtime/emulator/ops/Opcodes.h"
#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace tegula::runtime::test {
namespace {

using ::testing::HasSubstr;

/// The error for a body that starts in line 9 of the text.
std::string errorOf(const std::string &body) {
  const Result<ptx::Module> module = ptx::parse(kernel(body));
  return module ? "" : module.error().text;
}
std::string errorOfText(const std::string &text) {
  const Result<ptx::Module> module = ptx::parse(text);
  return module ? "" : module.error().text;
}
const std::string head = ".version 8.0\n.target sm_90a\n.address_size 64\n";

TEST(Parser, SaysWhereInTheSourceAnInstructionComesFrom) {
  const std::string text = kernel(".loc 1 12 5\nfrob %r0;") + "\n\t.file\t1 \"a/\\303\\244.py\"\n";
  EXPECT_THAT(errorOfText(text), HasSubstr(", from a/\xc3\xa4.py:12: unsupported instruction `frob`"));
  // Without the file's name the line in the text has to do.
  EXPECT_THAT(errorOf(".loc 1 12 5\nfrob %r0;"), HasSubstr("line 15: unsupported instruction `frob`"));
}

TEST(Parser, NamesUnsupportedInstructions) {
  EXPECT_EQ(errorOf("\nwgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%r0}, %d0, %d1, 1, 1, 1;"),
            "line 15: unsupported instruction `wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16`");
  EXPECT_THAT(errorOf("tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [t, {%r4, %r5}];"),
              HasSubstr("unsupported instruction `tex.2d.v4.f32.f32`"));
  EXPECT_THAT(errorOf("cp.async.bulk.shared.global [%r0], [%d0], 16, [%r1];"),
              HasSubstr("unsupported instruction `cp.async.bulk.shared.global`"));
  EXPECT_THAT(errorOf("cp.async.bulk.tensor.2d.shared.global [%r0], [%d0, {%r1, %r2}], [%r3];"),
              HasSubstr("unsupported instruction `cp.async.bulk.tensor.2d.shared.global`"));
  for (const std::string form :
       {"cvt.rn.e4m3x2.f32", "cvt.satfinite.e4m3x2.f32", "cvt.rz.satfinite.e5m2x2.f32",
        "cvt.rn.satfinite.f16x2.e4m3x2", "cvt.rn.satfinite.ftz.e4m3x2.f32", "cvt.rn.f32.e4m3x2"})
    EXPECT_THAT(errorOf(form + " %h0, %r1, %r2;"), HasSubstr("unsupported instruction `" + form + "`"));
  // Mixed precision: sums only, `fma` says its rounding, and what is added is wide.
  for (const std::string form : {"mul.rn.f32.f16", "min.f32.bf16", "fma.f32.f16", "add.f32.tf32"})
    EXPECT_THAT(errorOf(form + " %r0, %h1, %r2, %r3;"), HasSubstr("unsupported instruction `" + form + "`"));
  EXPECT_THAT(errorOf("add.rn.ftz.f32.f16 %r0, %h1, %r2;"),
              HasSubstr("unsupported modifier `.ftz` of `add.rn.ftz.f32.f16`"));
  EXPECT_THAT(errorOf("fma.rn.f32.bf16 %r0, %h1, %h2, %h3;"),
              HasSubstr("expected a register of 32 bits in `fma.rn.f32.bf16`, found `%h3` of 16"));
  EXPECT_THAT(errorOf("sub.f32.f16 %r0, %r1, %r2;"),
              HasSubstr("expected a register of 16 bits in `sub.f32.f16`, found `%r1` of 32"));
  EXPECT_THAT(errorOf("add.f32.f16 %r0, %h1;"), HasSubstr("expected 3 operands of `add.f32.f16`, found 2"));
  EXPECT_THAT(errorOf("cp.async.cg.shared.global [%r0], [%d0], 8;"),
              HasSubstr("expected a size of 16 as operand 3 of `cp.async.cg.shared.global`"));
  EXPECT_THAT(errorOf("cp.async.ca.shared.global [%r0], [%d0], 16, %r1, %r2;"),
              HasSubstr("expected 3 to 4 operands of `cp.async.ca.shared.global`, found 5"));
  EXPECT_THAT(errorOf("cp.async.ca.shared.global.L2::cache_hint [%r0], [%d0], 16;"),
              HasSubstr("unsupported instruction `cp.async.ca.shared.global.L2::cache_hint`"));
  EXPECT_THAT(errorOf("add.f32x4 %r0, %r1, %r2;"), HasSubstr("unsupported instruction `add.f32x4`"));
  EXPECT_THAT(errorOf("add.rn.f16.bogus %h0, %h1, %h2;"),
              HasSubstr("unsupported modifier `.bogus` of `add.rn.f16.bogus`"));
  EXPECT_THAT(errorOf("call %d0, (), proto;"), HasSubstr("unsupported instruction `call` of an address"));
  EXPECT_THAT(errorOf("{.param .b32 a; call f, (a), proto;}"),
              HasSubstr("unsupported instruction `call` with a prototype"));
}

TEST(Parser, ChecksOperands) {
  EXPECT_THAT(errorOf("add.s32 %r0, %r1;"), HasSubstr("expected 3 operands of `add.s32`, found 2"));
  EXPECT_THAT(errorOf("atom.global.add.u32 %r0;"),
              HasSubstr("expected 3 to 4 operands of `atom.global.add.u32`, found 1"));
  EXPECT_THAT(errorOf("add.s32 %r0, %r1, %d0;"),
              HasSubstr("expected a register of 32 bits in `add.s32`, found `%d0` of 64"));
  EXPECT_THAT(errorOf("cvt.rzi.s32.f32;"), HasSubstr("expected 2 operands of `cvt.rzi.s32.f32`, found 0"));
  EXPECT_THAT(errorOf("add.s32 5, %r1, %r2;"), HasSubstr("expected a register to write in `add.s32`"));
  EXPECT_THAT(errorOf("add.f32 %r0, %r1, 1;"),
              HasSubstr("expected a floating-point number in `add.f32`, found an integer"));
  EXPECT_THAT(errorOf("add.s64 %d0, %d1, 0f3f800000;"),
              HasSubstr("expected a number of 64 bits in `add.s64`, found one of 32"));
  EXPECT_THAT(errorOf("add.s32 %r0, %r1, 1.5;"),
              HasSubstr("expected a number of 32 bits in `add.s32`, found one of 64"));
  EXPECT_THAT(errorOf("add.s32 %r0, %r1, {%r2};"), HasSubstr("expected a register or a number in `add.s32`"));
  EXPECT_THAT(errorOf("add.s32 %r0, %clock, 1;"), HasSubstr("`%clock` can only be read by `mov`"));
  EXPECT_THAT(errorOf("selp.b32 %r0, %r1, %r2, %r3;"),
              HasSubstr("expected a predicate register as operand 4 of `selp.b32`"));
  EXPECT_THAT(errorOf("setp.eq.s32 %r0, %r1, %r2;"),
              HasSubstr("expected a predicate register to write in `setp.eq.s32`"));
  EXPECT_THAT(errorOf("ld.global.b32 %r0, %d0;"),
              HasSubstr("expected an address as operand 2 of `ld.global.b32`"));
  EXPECT_THAT(errorOf("ld.global.b32 %r0, [%r1];"),
              HasSubstr("expected an address of 64 bits in `ld.global.b32`, found `%r1` of 32"));
  EXPECT_THAT(errorOf("ld.shared.b32 %r0, [p0];"),
              HasSubstr("`p0` is not in the space that `ld.shared.b32` accesses"));
  EXPECT_THAT(errorOf("ld.global.v4.b32 {%r0, %r1}, [%d0];"),
              HasSubstr("expected as many registers as the access has elements"));
  EXPECT_THAT(errorOf("lop3.b32 %r0, %r1, %r2, %r3, %r4;"),
              HasSubstr("expected a table of 8 bits as operand 5 of `lop3.b32`"));
  EXPECT_THAT(errorOf("mov.b32 %r0, {%h0, %h1, %h2};"),
              HasSubstr("expected a vector of 2, 4 or 8 elements as operand 2 of `mov.b32`"));
  EXPECT_THAT(errorOf("cp.async.cg.shared.global [%r0], [%d0], 4;"),
              HasSubstr("expected a size of 16 as operand 3"));
  EXPECT_THAT(errorOf("cp.async.ca.shared.global [%r0], [%d0], 5;"),
              HasSubstr("expected a size of 4, 8 or 16 as operand 3"));
  EXPECT_THAT(errorOf("cp.async.cg.shared.global [%r0], [%d0+99999999999], 16;"),
              HasSubstr("expected an offset of 32 bits as operand 2"));
  EXPECT_THAT(errorOf("cvt.s32.f32 %r0, %r1;"),
              HasSubstr("expected .rni, .rzi, .rmi or .rpi in a conversion to an integer"));
  EXPECT_THAT(errorOf("cvt.f32.s32 %r0, %r1;"),
              HasSubstr("expected .rn, .rz, .rm or .rp in a conversion from an integer"));
  EXPECT_THAT(errorOf("mov.b32 %r0, p0x;"), HasSubstr("undefined name `p0x`"));
  EXPECT_THAT(errorOf("mov.u32 %r0, %nosuch.x;"), HasSubstr("unknown register `%nosuch.x`"));
  EXPECT_THAT(errorOf("mov.u32 %r0, %r99;"), HasSubstr("unknown register `%r99`"));
  EXPECT_THAT(errorOf("mov.u32 %r0, %r1.x;"), HasSubstr("unsupported component `.x` of `%r1`"));
  EXPECT_THAT(errorOf("setp.eq.and.s32 %q0, %r0, %r1, !%r2;"),
              HasSubstr("expected a predicate register after `!`, found `%r2`"));
  EXPECT_THAT(errorOf("@%r0 mov.u32 %r0, 1;"), HasSubstr("expected a predicate register, found `%r0`"));
  EXPECT_THAT(errorOf("setp.eq.and.s32 %q0, %r0, %r1, !5;"),
              HasSubstr("expected a predicate register, found `5`"));
  const std::string small = ".shared .b32 s;\n.global .b32 g;\n";
  EXPECT_THAT(errorOf(small + "mov.b16 %h0, s;"), HasSubstr("the address of `s` does not fit `mov.b16`"));
  EXPECT_THAT(errorOf(small + "mov.b32 %r0, g;"), HasSubstr("the address of `g` does not fit `mov.b32`"));
}

TEST(Parser, ChecksControl) {
  EXPECT_THAT(errorOf("bra NOWHERE;"), HasSubstr("undefined label `NOWHERE`"));
  EXPECT_THAT(errorOf("bra %r0;"), HasSubstr("expected a label as operand 1 of `bra`"));
  EXPECT_THAT(errorOf("L:\nL:\n"), HasSubstr("label `L` is defined twice"));
  EXPECT_THAT(errorOf("brx.idx %r0, T;"), HasSubstr("undefined branch table `T`"));
  EXPECT_THAT(errorOf("T: .branchtargets A;\nbrx.idx %r0, T;"), HasSubstr("undefined label `A`"));
  EXPECT_THAT(errorOf("T: .branchtargets 5;"), HasSubstr("expected a label, found `5`"));
  EXPECT_THAT(errorOf("call.uni missing, ();"), HasSubstr("call of undefined function `missing`"));
  EXPECT_THAT(errorOf("call.uni vprintf, ();"), HasSubstr("call of `vprintf` does not match its parameters"));
  EXPECT_THAT(errorOf("call 5;"), HasSubstr("expected the name of a function as operand 1"));
  EXPECT_THAT(errorOf("call (p0), f, ();"), HasSubstr("expected `.param` variables in a call, found `p0`"));
  EXPECT_THAT(
      errorOfText(head +
                  ".func f(.param .b32 x)\n{\nret;\n}\n.entry k()\n{\n.param .b64 a;\ncall f, (a);\n}"),
      HasSubstr("line 11: call of `f` does not match its parameters"));
  EXPECT_THAT(errorOf("{ bra INSIDE; }\n{ INSIDE: }"), HasSubstr("undefined label `INSIDE`"));
  EXPECT_EQ(errorOf("{ bra OUTSIDE; }\nOUTSIDE:"), "");
}

TEST(Parser, ChecksDeclarations) {
  EXPECT_THAT(errorOf(".reg .b32 %x;\n.reg .b32 %x;"), HasSubstr("`%x` is declared twice"));
  EXPECT_THAT(errorOf(".reg .tex %x;"), HasSubstr("unsupported type `.tex`"));
  EXPECT_THAT(errorOf(".reg %x;"), HasSubstr("expected a type, found `%x`"));
  EXPECT_THAT(errorOf(".reg .b32 5;"), HasSubstr("expected the name of a register, found `5`"));
  EXPECT_THAT(errorOf(".reg .b32 %x<y>;"), HasSubstr("expected a number of registers, found `y`"));
  EXPECT_THAT(errorOf(".reg .b32 %x<5;"), HasSubstr("expected `>` after a number of registers, found `;`"));
  EXPECT_THAT(errorOf(".local .b8 x[600000];"), HasSubstr("the local variables take more than 524288 bytes"));
  EXPECT_THAT(errorOf(".param .b8 x[40000];"), HasSubstr("the parameters take more than 32764 bytes"));
  // Each call has a scope of its own, and the next one takes its place.
  std::string scopes = ".param .b8 before[40];\n";
  for (int i = 0; i < 2000; ++i)
    scopes += "{ .param .b8 x[40]; { .param .b8 y[40]; } }\n";
  EXPECT_EQ(errorOf(scopes), "");
  EXPECT_THAT(errorOf(".param .b8 x[20000];\n{ .param .b8 y[20000]; }"),
              HasSubstr("the parameters take more than 32764 bytes"));
  EXPECT_THAT(errorOf(".shared .b8 x[2000000];"),
              HasSubstr("the shared variables take more than 1048576 bytes"));
  EXPECT_THAT(errorOf(".global .b8 x[200000000];\n.global .b8 y[200000000];"),
              HasSubstr("the variables take more than 268435456 bytes"));
  EXPECT_THAT(errorOf(".global .b8 x[99999999999];"), HasSubstr("`x` is larger than 268435456 bytes"));
  EXPECT_THAT(errorOf(".global .align 3 .b8 x;"),
              HasSubstr("expected an alignment that is a power of two, found 3"));
  EXPECT_THAT(errorOf(".global .b8 x[2] = {1, 2, 3};"),
              HasSubstr("`x` has more initial values than its 2 bytes hold"));
  EXPECT_THAT(errorOf(".global .b32 x = k;"), HasSubstr("expected a 64-bit element for the address of `k`"));
  EXPECT_THAT(errorOf(".global .b32 x = \"a\";"), HasSubstr("expected an initial value, found a string"));
  EXPECT_THAT(errorOf(".global .pred x;"), HasSubstr("unsupported type or attribute `.pred`"));
  EXPECT_THAT(errorOf(".global x;"), HasSubstr("expected a type, found `x`"));
  EXPECT_THAT(errorOf(".global .b32 5;"), HasSubstr("expected a name, found `5`"));
  EXPECT_THAT(errorOf(".frobnicate 5;"), HasSubstr("unsupported directive `.frobnicate`"));
  EXPECT_THAT(errorOf(".loc x;"), HasSubstr("expected a file number, found `x`"));
  EXPECT_THAT(errorOf(".loc 1 2 3, elsewhere;"),
              HasSubstr("expected `function_name` or `inlined_at`, found `elsewhere`"));
  EXPECT_THAT(errorOf(".file 70000 \"x\""),
              HasSubstr("expected a file number of at most 65535, found 70000"));
  EXPECT_THAT(errorOf(".file 1 x"), HasSubstr("expected a file name, found `x`"));
}

TEST(Parser, ChecksTheModule) {
  EXPECT_EQ(errorOfText("hello"), "line 1: expected a directive, found `hello`");
  EXPECT_EQ(errorOfText(".frob"), "line 1: unsupported directive `.frob`");
  EXPECT_EQ(errorOfText(".version 8.0\n.target sm_90a\n.address_size 32\n"),
            "line 3: expected addresses of 64 bits, found 32");
  EXPECT_THAT(errorOfText(head + ".entry 5()"), HasSubstr("expected the name of a function, found `5`"));
  EXPECT_THAT(errorOfText(head + ".entry k(.reg .b32 x)"), HasSubstr("expected `.param`, found `.reg`"));
  EXPECT_THAT(errorOfText(head + ".entry k(.param .b32 x .param"),
              HasSubstr("expected `,` between parameters, found `.param`"));
  EXPECT_THAT(errorOfText(head + ".entry k(.param .b32 x, .param .b32 x)"),
              HasSubstr("`x` is declared twice"));
  EXPECT_THAT(errorOfText(head + ".entry k()\n.reqntid x"),
              HasSubstr("expected a number of threads, found `x`"));
  EXPECT_THAT(errorOfText(head + ".entry k()\n.reqnctapercluster 2, 2\n{}"),
              HasSubstr("unsupported cluster of several blocks along y or z"));
  EXPECT_THAT(errorOfText(head + ".entry k()\n.strange\n{}"), HasSubstr("unsupported directive `.strange`"));
  EXPECT_THAT(errorOfText(head + ".entry k()\n]"),
              HasSubstr("expected `;` or a body after a function, found `]`"));
  EXPECT_THAT(errorOfText(head + ".entry k()\n{\nret;"),
              HasSubstr("expected `}` at the end of `k`, found the end of the text"));
  EXPECT_THAT(errorOfText(head + ".entry k() {ret;}\n.entry k() {ret;}"),
              HasSubstr("function `k` is defined twice"));
  EXPECT_THAT(errorOfText(head + ".extern .global .b32 x;"),
              HasSubstr("external variable `x` is not defined"));
  EXPECT_THAT(errorOfText(head + ".global .b32 x;\n.global .b32 x;"), HasSubstr("`x` is declared twice"));
  EXPECT_THAT(errorOfText(head + ".section .debug_info\n{\n{}"), HasSubstr("unterminated section"));
  EXPECT_THAT(errorOfText(std::string((64 << 20) + 1, ' ')),
              HasSubstr("expected at most 67108864 bytes of PTX, found 67108865"));
}

TEST(Parser, HostileText) {
  EXPECT_THAT(errorOf(std::string(100000, '{')), HasSubstr("blocks nested deeper than 64"));
  EXPECT_THAT(errorOf("mov.b32 %r0, " + std::string(100000, '{')),
              HasSubstr("operands nested deeper than 2"));
  EXPECT_THAT(errorOf("mov.b32 %r0, {" +
                      [] {
                        std::string text;
                        for (int i = 0; i < 300; ++i)
                          text += "%h0,";
                        return text;
                      }()),
              HasSubstr("more than 256 operands"));
  EXPECT_THAT(errorOf("add.s32 " +
                      [] {
                        std::string text;
                        for (int i = 0; i < 300; ++i)
                          text += "%r0,";
                        return text;
                      }()),
              HasSubstr("more than 256 operands"));
  EXPECT_THAT(errorOf("mov.u32 %r0, 0x;"), HasSubstr("expected an operand, found `0x`"));
  EXPECT_THAT(errorOf("mov.u32 %r0, 99999999999999999999999;"), HasSubstr("expected an operand"));
  EXPECT_THAT(errorOf(std::string("mov.u32 \0\1\377", 11)), HasSubstr("expected an operand, found `\\x00`"));
  EXPECT_THAT(errorOf("\"unterminated"), HasSubstr("expected an instruction"));
  EXPECT_THAT(errorOf("/* unterminated"), HasSubstr("found the end of the text"));
  EXPECT_THAT(errorOf("ld.global.b32 %r0, [%d0"), HasSubstr("expected `]` after an address"));
  EXPECT_THAT(errorOf("ld.global.b32 %r0, [%d0+x];"), HasSubstr("expected an offset, found `x`"));
  EXPECT_THAT(errorOf("mov.u32 %r0, 1"), HasSubstr("expected `;` after an instruction"));
  EXPECT_THAT(errorOf(".reg .b32 %many<4000000000>;\nmov.u32 %many3999999999, 1;"),
              HasSubstr("unknown register `%many3999999999`"));
  std::string families;
  for (int i = 0; i < 70; ++i)
    families += ".reg .b32 %f" + std::string(1, char('A' + i % 26)) + std::to_string(i) + "_<4>;\n";
  EXPECT_THAT(errorOf(families), HasSubstr("more than 64 families of registers in one block"));
}

TEST(Parser, EveryPrefixOfAProgramIsHandled) {
  const std::string text = kernel(
      ".file 1 \"a.py\"\n.loc 1 2 3, function_name $x, inlined_at 1 5 6\n.shared .align 16 .b8 s[64];\n{ "
      ".reg .pred p; setp.lt.s32 p, %r31, 5; @p bra L; }\nL:\n"
      "ld.global.v2.b32 {%r0, %r1}, [%p0+-8];\n{\n.param .b64 a;\n.param .b64 b;\n.param .b32 z;\ncall.uni "
      "(z), vprintf, (a, b);\n}\nmov.b32 {%h0, _}, %r0;\natom.add.f32 %r0, [%p0], 0f3f800000;",
      1, ".section .debug_str\n{\ninfo:\n.b8 1, 2\n}\n.global .u64 g[2] = {k, 1};\n");
  for (size_t length = 0; length <= text.size(); ++length) {
    const Result<ptx::Module> module = ptx::parse(std::string_view(text).substr(0, length));
    if (!module) {
      EXPECT_TRUE(module.error().text.starts_with("line ")) << module.error().text;
    }
  }
  EXPECT_EQ(errorOfText(text), "");
}

TEST(Parser, KeepsPlacesAndThreadCounts) {
  const Result<ptx::Module> module = ptx::parse(
      head + ".file 2 \"dir/b.py\"\n.visible .entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 "
             ".b8 b[12], .param .u8 c)\n.reqntid 128, 1, 1\n.minnctapersm 2\n{\n.loc 2 33 1\nret;\n}\n");
  ASSERT_TRUE(bool(module)) << module.error().text;
  const ptx::Function *entry = module->findEntry("k");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->uniformParamBytes, 21u);
  EXPECT_EQ(entry->requiredThreads[0], 128u);
  EXPECT_EQ(module->places[entry->code[0].place], (ptx::Place{2, 33}));
  EXPECT_EQ(module->files[2], "dir/b.py");
}

TEST(Parser, NamesOfFilesAreWhatTheirEscapesStandFor) {
  const Result<ptx::Module> module =
      ptx::parse(head + ".file 1 \"caf\\303\\251/\\0421\\\\n\\0.py\"\n.file 2 \"end\\\"\n");
  ASSERT_TRUE(bool(module)) << module.error().text;
  EXPECT_EQ(module->files[1], std::string("café/\"1\\n\0.py", 14));
  EXPECT_EQ(module->files[2], "end\\");
}

} // namespace
} // namespace tegula::runtime::test
