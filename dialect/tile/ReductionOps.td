//===- ReductionOps.td - many elements become one --------------------------===//

#ifndef TEGULA_DIALECT_TILE_REDUCTION_OPS
#define TEGULA_DIALECT_TILE_REDUCTION_OPS

include "dialect/tile/TileBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ReduceOp : Tile_Op<"reduce", [Pure, SingleBlock, IsolatedFromAbove]> {
  let summary = "combine all elements along an axis";
  let description = [{
    The elements of the operands along `axis` are combined, two at a time, by the region until one is left:
    for `combine = (a, b) -> a + b` the sum. Several operands are combined together, element by element,
    into as many results. The region sees scalars: first the elements of the one side, an argument for each
    operand, then those of the other; it yields a value for each result.

    In which order and grouping elements meet is left to the layout, but is the same each time a compiled
    kernel runs: `combine` should be associative and commutative. A side of one element is taken as it is.
    From `tl.reduce` and everything made of it (`tl.sum`, `tl.max`, `tl.argmax`); lowered to work within a
    thread, then within a warp, then through shared memory, whichever of these the layout needs.

    The results have the operands' shape without `axis`: scalars, which all threads then hold, where nothing
    is left.

    - (reduce_c1) there is an operand, and all have one shape and one layout;
    - (reduce_c2) `axis` is an axis of the operands;
    - (reduce_c3) result i has the elements of operand i and its shape without `axis`;
    - (reduce_c4) the results' layout is the operands' with dimension `axis` taken away;
    - (reduce_c5) the region takes two scalars and yields one for each operand, of its element type;
    - (reduce_c6) nothing in the region has an effect or makes a tensor.

    ```mlir
    %sum = tile.reduce %x axis 1 : tensor<16x32xf32> -> tensor<16xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_AnyTensor>:$operands, I32Attr:$axis);
  let results = (outs Variadic<Tile_Value>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    $operands `axis` $axis attr-dict `:` type($operands) `->` type($results) $combine
  }];
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$operands, "uint32_t":$axis)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The shape reduced, `axis` included.
    ::llvm::ArrayRef<int64_t> getSourceShape() {
      return ::llvm::cast<::mlir::RankedTensorType>(getOperands().front().getType()).getShape();
    }
  }];
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"ReduceOp">]> {
  let summary = "the values that a region combines its arguments into";
  let description = [{
    Ends the region of `tile.reduce`. Not the end of a loop or branch: that is `scf.yield`.

    ```mlir
    tile.yield %c : f32
    ```
  }];
  let arguments = (ins Variadic<Tile_Scalar>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

#endif // TEGULA_DIALECT_TILE_REDUCTION_OPS
