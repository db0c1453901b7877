//===- DotOps.td - products of matrices -------------------------------------===//

#ifndef TEGULA_DIALECT_TILE_DOT_OPS
#define TEGULA_DIALECT_TILE_DOT_OPS

include "dialect/tile/MatrixUnit.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "multiply matrices and add the product to a third";
  let description = [{
    `result[..., m, n] = accumulator[..., m, n] + sum over k of a[..., m, k] * b[..., k, n]`, the sum in the
    accumulator's type and in an order that the matrix unit chooses. Before the last two axes there may be one
    of batches. From `tl.dot`.

    `precision` says how products of f32 are computed. `maxImprecise`, 0 where nothing was said, is the number
    of products of f8 that may be added up in fewer bits than f32 has before they are added to the accumulator in
    f32; units that add in f32 throughout do better and need not heed it. For one that does not,
    `choose-matrix-units` says a number where there is none.

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
    - (dot_c9) `wgmma` multiplies no batches and no f64.

    ```mlir
    %d = tile.dot %a, %b, %c precision tf32 : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    %e = tile.dot %a1, %b1, %c1 precision tf32 unit <mma_sync, m16n8k8>
        : tensor<64x32xf32, #a>, tensor<32x64xf32, #b> -> tensor<64x64xf32, #c>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$a, Tile_AnyTensor:$b, Tile_AnyTensor:$accumulator,
                       DefaultValuedAttr<Tile_InputPrecisionAttr, "InputPrecision::IEEE">:$precision,
                       DefaultValuedAttr<I32Attr, "0">:$maxImprecise,
                       OptionalAttr<Tile_MatrixUnitAttr>:$unit);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $accumulator (`precision` $precision^)? (`max_imprecise` $maxImprecise^)? (`unit` $unit^)?
    attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$accumulator,
                                 CArg<"InputPrecision", "InputPrecision::IEEE">:$precision,
                                 CArg<"uint32_t", "0">:$maxImprecise), [{
    build($_builder, $_state, accumulator.getType(), a, b, accumulator, precision, maxImprecise, MatrixUnitAttr());
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
