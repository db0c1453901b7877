//===- ReductionOps.td - elements combined along an axis -------------------===//

#ifndef TEGULA_DIALECT_TILE_REDUCTION_OPS
#define TEGULA_DIALECT_TILE_REDUCTION_OPS

include "dialect/tile/TileBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ReduceOp : Tile_Op<"reduce", [Tile_PureButForRegion, SingleBlock, IsolatedFromAbove]> {
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
    - (reduce_c6) nothing in the region makes a tensor or has an effect, except assertions and prints.

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

def Tile_ScanOp : Tile_Op<"scan", [Tile_PureButForRegion, SingleBlock, IsolatedFromAbove]> {
  let summary = "at each place along an axis, all elements up to there combined";
  let description = [{
    `result[0] = x[0]` and `result[k] = combine(result[k - 1], x[k])` along `axis`; with `reverse` the same from
    the last element on: `result[k] = combine(result[k + 1], x[k])`. Several operands are combined together,
    element by element, into as many results. The region is as that of `tile.reduce`: first the earlier value,
    then the later one.

    How elements are grouped is left to the layout, but is the same each time a compiled kernel runs: `combine`
    should be associative. It need not be commutative, as elements keep their order. From `tl.associative_scan`
    and what is made of it (`tl.cumsum`, `tl.cumprod`); lowered to work within a thread, then between the lanes of
    a warp, then through shared memory, whichever of these the layout needs.

    - (scan_c1) there is an operand, and all have one shape and one layout;
    - (scan_c2) `axis` is an axis of the operands;
    - (scan_c3) result i has the type of operand i;
    - (scan_c4) each bit of the layout moves by one bit along `axis`, another one each, or not along it at all;
    - (scan_c5) the region takes two scalars and yields one for each operand, of its element type;
    - (scan_c6) nothing in the region makes a tensor or has an effect, except assertions and prints.

    ```mlir
    %sums = tile.scan %x axis 0 reverse : tensor<64xf32> -> tensor<64xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_AnyTensor>:$operands, I32Attr:$axis, UnitAttr:$reverse);
  let results = (outs Variadic<Tile_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    $operands `axis` $axis (`reverse` $reverse^)? attr-dict `:` type($operands) `->` type($results) $combine
  }];
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$operands, "uint32_t":$axis, "bool":$reverse)>];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The shape of operands and results.
    ::llvm::ArrayRef<int64_t> getShape() {
      return ::llvm::cast<::mlir::RankedTensorType>(getOperands().front().getType()).getShape();
    }
  }];
}

def Tile_HistogramOp : Tile_Op<"histogram", [Pure]> {
  let summary = "count how often each small number occurs";
  let description = [{
    `result[b]` is the number of elements of the source that are `b`, as unsigned numbers, of those where the mask
    holds. Elements that are no place of the result are not counted. From `tl.histogram`; lowered to additions in
    shared memory, whose order does not show.

    - (histogram_c1) source, mask and result have one axis each;
    - (histogram_c2) source and mask have one shape and one layout; the result has any, or none where they have
      none.

    ```mlir
    %h = tile.histogram %x, %m : tensor<1024xi32>, tensor<1024xi1> -> tensor<256xi32>
    ```
  }];
  let arguments = (ins TileTensorOf<[I32]>:$source, Optional<TileTensorOf<[I1]>>:$mask);
  let results = (outs TileTensorOf<[I32]>:$result);
  let assemblyFormat = [{
    $source (`,` $mask^)? attr-dict `:` type($source) (`,` type($mask)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["ReduceOp", "ScanOp", "MapOp"]>]> {
  let summary = "the values that a region of scalars makes of its arguments";
  let description = [{
    Ends the region of `tile.reduce`, `tile.scan` and `tile.map`. Not the end of a loop or branch: that is `scf.yield`.

    ```mlir
    tile.yield %c : f32
    ```
  }];
  let arguments = (ins Variadic<Tile_Scalar>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

#endif // TEGULA_DIALECT_TILE_REDUCTION_OPS
