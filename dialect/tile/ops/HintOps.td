//===- HintOps.td - what the author knows, and what the program says -------===//

#ifndef TEGULA_DIALECT_TILE_HINT_OPS
#define TEGULA_DIALECT_TILE_HINT_OPS

include "dialect/tile/Effects.td"
include "dialect/tile/TileBase.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_AssumeOp : Tile_Op<"assume", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the author states that a condition holds";
  let description = [{
    If the condition is false the program's meaning is undefined. Analyses read comparisons with
    constants from it; nothing is checked at run time (see `tile.assert`). From `tl.assume`; dropped by
    lowering.

    ```mlir
    tile.assume %positive
    ```
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasCanonicalizeMethod = 1;
}

def Tile_HintOp : Tile_Op<"hint", [Pure, AllTypesMatch<["source", "result"]>, Tile_SameShapeAndLayout]> {
  let summary = "the author states how a value's elements are related";
  let description = [{
    `result = source`. One number a dimension (a single one for a scalar): elements come in groups of
    `contiguity` consecutive values; the first of each group is a multiple of `divisibility`; elements come
    in groups of `constancy` equal values. A list that is absent says nothing; without `contiguity`,
    `divisibility` is about the first of each run of consecutive values, however long. False hints make
    the meaning undefined. From `tl.multiple_of`, `tl.max_contiguous`, `tl.max_constancy`; read by the analyses
    of the distribute stage.

    - (hint_c1) each list has one number a dimension;
    - (hint_c2) the numbers are positive.

    ```mlir
    %j = tile.hint %i contiguity = [128] divisibility = [128] : tensor<128xi32>
    ```
  }];
  let arguments = (ins Tile_Value:$source, OptionalAttr<DenseI64ArrayAttr>:$contiguity,
                       OptionalAttr<DenseI64ArrayAttr>:$divisibility,
                       OptionalAttr<DenseI64ArrayAttr>:$constancy);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $source (`contiguity` `=` $contiguity^)? (`divisibility` `=` $divisibility^)?
    (`constancy` `=` $constancy^)? attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
}

def Tile_OptBarrierOp : Tile_Op<"opt_barrier", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "a value that nothing is known of, once another is there";
  let description = [{
    `result = source`, but no optimiser, the assembler's included, sees that, and the value is not there before
    `after` is. What is computed from it is therefore computed anew rather than kept from an earlier time:
    the schedule stage puts it where a few instructions cost less than the registers that hold their results.
    Not a barrier of threads: see `tile.barrier`. Costs an instruction for each 32 bits.

    - (opt_barrier_c1) `after` is a scalar or a tensor of integers or floats.

    ```mlir
    %y = tile.opt_barrier %x after %max : tensor<1024xbf16>, f32
    ```
  }];
  let arguments = (ins Tile_Value:$source, Tile_Value:$after);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$source `after` $after attr-dict `:` type($source) `,` type($after)";
  let hasVerifier = 1;
}

def Tile_PrintOp : Tile_Op<"print",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "print values from the device";
  let description = [{
    Each element of each operand is printed on a line of its own, once:
    `pid (x, y, z) idx (i, ...)`, the prefix as it is, `(operand n) ` where there are several, the value.
    A scalar, and a prefix without operands, is printed by every thread. `isSigned` has one entry an operand and
    tells how integers print; `hex` prints numbers in hexadecimal digits. `PrintFormat.h` has the formats. From
    `tl.device_print`, whose prefix the front end completes.

    - (print_c1) `isSigned` has one entry an operand.

    ```mlir
    tile.print " x: " [true] values(%x : tensor<8xi32>)
    ```
  }];
  let arguments = (ins StrAttr:$prefix, DenseBoolArrayAttr:$isSigned, UnitAttr:$hex, Variadic<Tile_Value>:$operands);
  let assemblyFormat = "$prefix $isSigned (`hex` $hex^)? (`values` `(` $operands^ `:` type($operands) `)`)? attr-dict";
  let hasVerifier = 1;
}

def Tile_AssertOp : Tile_Op<"assert",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "stop the kernel where a condition does not hold";
  let description = [{
    If any element of the condition is false, the kernel stops with `message` and the source location.
    Not a promise that later ops may lean on: see `tile.assume`. From `tl.device_assert`.

    ```mlir
    tile.assert %ok, "index out of range" : tensor<64xi1>
    ```
  }];
  let arguments = (ins Tile_BoolLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
  let hasCanonicalizeMethod = 1;
}

#endif // TEGULA_DIALECT_TILE_HINT_OPS
