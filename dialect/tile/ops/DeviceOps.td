//===- DeviceOps.td - PTX by hand, and questions to the multiprocessor ------===//

#ifndef TEGULA_DIALECT_TILE_DEVICE_OPS
#define TEGULA_DIALECT_TILE_DEVICE_OPS

include "dialect/tile/Effects.td"
include "dialect/tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_InlineAsmOp : Tile_Op<"inline_asm",
    [Tile_SameShapeAndLayout, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "PTX that the author wrote, for every element";
  let description = [{
    `text` is run for each `pack` elements that a thread holds. Its registers are named `$0`, `$1`, ...: first those of
    the results, then those of the operands, each result and operand with as many as it takes to hold `pack` elements,
    where elements below 32 bits share a register as far as they fit. `constraints` has an entry for each register,
    `=r` of a result, `r` or the number of a result of an operand, and then perhaps `~{...}` for what is overwritten.
    A thread whose elements are no multiple of `pack` runs it with copies of one it has. Unless `isPure`, memory may be
    read and written, and the op keeps its place. From `tl.inline_asm_elementwise`. Not an op that anything but the
    device knows the meaning of: the interpreter refuses it.

    - (inline_asm_c1) `text` and `constraints` fit each other, the operands and the results, as `inlineAsmProblem` says.

    ```mlir
    %y = tile.inline_asm "shl.b32 $0, $1, 3;", "=r,r" pure pack = 4 (%x) : (tensor<64xi8>) -> tensor<64xi8>
    ```
  }];
  let arguments = (ins StrAttr:$text, StrAttr:$constraints, UnitAttr:$isPure, I32Attr:$pack,
                       Variadic<Tile_Value>:$operands);
  let results = (outs Variadic<Tile_Value>:$results);
  let assemblyFormat = [{
    $text `,` $constraints (`pure` $isPure^)? `pack` `=` $pack `(` $operands `)` attr-dict `:`
    functional-type($operands, $results)
  }];
  let hasVerifier = 1;
}

def Tile_SpecialRegister : Tile_EnumOf<"SpecialRegister", "a register of the multiprocessor that programs may read", [
    I32EnumAttrCase<"GlobalTimer", 0, "globaltimer">, I32EnumAttrCase<"SmId", 1, "smid">]>;
def Tile_SpecialRegisterAttr : EnumAttr<Tile_Dialect, Tile_SpecialRegister, "special_register"> {
  let description = [{
    `globaltimer`, nanoseconds on a clock that the whole device has, an i64; `smid`, the number of the multiprocessor, an
    i32.
  }];
}

def Tile_ReadSpecialOp : Tile_Op<"read_special",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "read a special register";
  let description = [{
    The register as it is when the op is reached: a clock keeps its place among accesses of memory. From
    `tl.extra.cuda.globaltimer` and `tl.extra.cuda.smid`. Not what tells programs apart: that is `tile.program_id`.

    - (read_special_c1) `globaltimer` is an i64 and `smid` an i32.

    ```mlir
    %t = tile.read_special globaltimer : i64
    ```
  }];
  let arguments = (ins Tile_SpecialRegisterAttr:$which);
  let results = (outs AnyTypeOf<[I32, I64]>:$result);
  let assemblyFormat = "$which attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_GridDependency : Tile_EnumOf<"GridDependency", "a step in the hand-over from one launch to the next", [
    I32EnumAttrCase<"Wait", 0, "wait">, I32EnumAttrCase<"LaunchDependents", 1, "launch_dependents">]>;
def Tile_GridDependencyAttr : EnumAttr<Tile_Dialect, Tile_GridDependency, "grid_dependency"> {
  let description = [{
    `wait` until the launches before have ended and what they wrote is seen; `launch_dependents`: the next launch may
    begin.
  }];
}

def Tile_GridDependencyOp : Tile_Op<"grid_dependency",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "wait for an overlapping launch, or let the next one begin";
  let description = [{
    For launches made with programmatic dependent launch; of any other it says nothing. Keeps its place among accesses of
    memory. From `tl.extra.cuda.gdc_wait` and `tl.extra.cuda.gdc_launch_dependents`. Not a barrier of threads.

    ```mlir
    tile.grid_dependency wait
    ```
  }];
  let arguments = (ins Tile_GridDependencyAttr:$step);
  let assemblyFormat = "$step attr-dict";
}

#endif // TEGULA_DIALECT_TILE_DEVICE_OPS
