//===- DotOps.td - products of matrices -------------------------------------===//

#ifndef TEGULA_DIALECT_TILE_DOT_OPS
#define TEGULA_DIALECT_TILE_DOT_OPS

include "dialect/tile/MatrixUnit.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_DotPartsAttr : Tile_Attr<"DotParts", "dot_parts"> {
  let summary = "the parts in which a dot is computed whose unit adds up in few bits";
  let description = [{
    A part is `columns` columns of the result, of at most `max_imprecise` products each. Its sums begin at zero, and threads
    add them to the accumulator in f32; `inFlight` parts are computed at a time. What follows from both is how many registers
    parts take next to the accumulator's.

    `choose-matrix-units` writes it on `tile.dot` where a thread has no registers for the whole result twice;
    `buffer-operands` carries it out.

    - (dot_parts_c1) `columns` is a power of two;
    - (dot_parts_c2) `inFlight` is 1, or 2 where one part is added up while the other one is computed.

    ```mlir
    #tile.dot_parts<columns = 128, in_flight = 1>
    ```
  }];
  let parameters = (ins "uint32_t":$columns, "uint32_t":$inFlight);
  let assemblyFormat = "`<` `columns` `=` $columns `,` `in_flight` `=` $inFlight `>`";
  let genVerifyDecl = 1;
}

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "multiply matrices and add the product to a third";
  let description = [{
    `result[..., m, n] = accumulator[..., m, n] + sum over k of a[..., m, k] * b[..., k, n]`, the sum in the
    accumulator's type and in an order that the matrix unit chooses. Before the last two axes there may be one
    of batches. From `tl.dot`.

    `precision` says how products of f32 are computed. `maxImprecise`, 0 where nothing was said, is the number
    of products of f8 that may be added up in fewer bits than f32 has before they are added to the accumulator in
    f32; units that add in f32 throughout do better and need not heed it. For one that does not,
    `choose-matrix-units` says a number where there is none. `parts` says by how many columns such products are added up
    at a time; where it is absent, by all, and of two parts along K one while the other is computed.

    `unit` says what computes it. `choose-matrix-units` writes it together with the layouts that go with it: the
    fragments of the unit's instruction, or for `fma` those of threads that each hold whole rows of `a` and
    columns of `b`. Lowering reads off the three maps which registers go into which instruction. Where the unit
    reads an operand from shared memory, the operand's layout says nothing: `buffer-operands` makes a
    `tgpu.mma` of the dot.

    - (dot_c1) all are matrices, or all are batches of the same number of matrices;
    - (dot_c2) `a` is M by K, `b` K by N and the accumulator M by N;
    - (dot_c3) the elements are f16 into f32 or f16, bf16 into f32, f8 of either kind into f32 or f16, f32 into
      f32, f64 into f64, or i8 into i32;
    - (dot_c4) either all three have a layout or none has;
    - (dot_c5) `maxImprecise` is not negative;
    - (dot_c6) `unit` is on dots with layouts only;
    - (dot_c7) `fma` multiplies no f8, which threads only convert;
    - (dot_c8) an instruction has no more of K than the dot has, since copies would count twice, and four or
      eight times the elements of `a` that a register of 32 bits holds (one of f64);
    - (dot_c9) `wgmma` multiplies no batches and no f64;
    - (dot_c10) `parts` are of a dot with `wgmma` and `maxImprecise`, and have as many columns as one or more instructions and
      at most the dot's, of which each thread has as many as of any other part.

    ```mlir
    %d = tile.dot %a, %b, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    %e = tile.dot %a1, %b1, %c1 precision tf32 unit <mma_sync, m16n8k8>
        : tensor<64x32xf32, #a>, tensor<32x64xf32, #b> -> tensor<64x64xf32, #c>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$a, Tile_AnyTensor:$b, Tile_AnyTensor:$accumulator,
                       DefaultValuedAttr<Tile_InputPrecisionAttr, "InputPrecision::IEEE">:$precision,
                       DefaultValuedAttr<I32Attr, "0">:$maxImprecise, OptionalAttr<Tile_DotPartsAttr>:$parts,
                       OptionalAttr<Tile_MatrixUnitAttr>:$unit);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $accumulator (`precision` $precision^)? (`max_imprecise` $maxImprecise^)? (`parts` $parts^)?
    (`unit` $unit^)? attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$accumulator,
                                 CArg<"InputPrecision", "InputPrecision::IEEE">:$precision,
                                 CArg<"uint32_t", "0">:$maxImprecise), [{
    build($_builder, $_state, accumulator.getType(), a, b, accumulator, precision, maxImprecise, DotPartsAttr(),
          MatrixUnitAttr());
  }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getAType() { return ::llvm::cast<::mlir::RankedTensorType>(getA().getType()); }
    ::mlir::RankedTensorType getBType() { return ::llvm::cast<::mlir::RankedTensorType>(getB().getType()); }
    ::mlir::RankedTensorType getResultType() { return ::llvm::cast<::mlir::RankedTensorType>(getResult().getType()); }
    /// Axes before those of the matrices: 0 or 1.
    unsigned getBatchAxes() { return unsigned(getResultType().getRank()) - 2; }
    int64_t getM() { return getResultType().getShape()[getBatchAxes()]; }
    int64_t getN() { return getResultType().getShape()[getBatchAxes() + 1]; }
    int64_t getK() { return getAType().getShape()[getBatchAxes() + 1]; }
  }];
}

#endif // TEGULA_DIALECT_TILE_DOT_OPS
