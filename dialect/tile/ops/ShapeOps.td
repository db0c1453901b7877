//===- ShapeOps.td - making and reshaping tensors --------------------------===//

#ifndef TEGULA_DIALECT_TILE_SHAPE_OPS
#define TEGULA_DIALECT_TILE_SHAPE_OPS

include "dialect/tile/TileBase.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ArangeOp : Tile_Op<"arange",
    [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "consecutive integers";
  let description = [{
    `result[i] = start + i`, up to but not including `end`. From `tl.arange`; each thread computes its own
    elements from its indices.

    - (arange_c1) the result has rank 1
    - (arange_c2) and `end - start` elements.

    ```mlir
    %i = tile.arange 0 to 128 : tensor<128xi32>
    ```
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TileTensorOf<[I32]>:$result);
  let assemblyFormat = "$start `to` $end attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "a tensor whose elements are all one scalar";
  let description = [{
    `result[...] = source`. Not a broadcast of a tensor: see `tile.broadcast`. Each thread
    holds the scalar already, so nothing moves.

    - (splat_c1) the result's elements are of the source's type.

    ```mlir
    %t = tile.splat %x : f32 -> tensor<16x32xf32>
    ```
  }];
  let arguments = (ins Tile_Scalar:$source);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ExpandDimsOp : Tile_Op<"expand_dims", [Pure, AllElementTypesMatch<["source", "result"]>]> {
  let summary = "insert a dimension of size one";
  let description = [{
    The result has the source's elements in the same order and one more dimension, of size 1, at `axis`.
    From `x[:, None]` and `tl.expand_dims`.

    - (expand_dims_c1) `axis` is from 0 to the source's rank;
    - (expand_dims_c2) the result has the source's shape with a 1 inserted at `axis`;
    - (expand_dims_c3) the source's layout is the result's with dimension `axis` taken away.

    ```mlir
    %c = tile.expand_dims %r, 0 : tensor<32xi32> -> tensor<1x32xi32>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source, I32Attr:$axis);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$source `,` $axis attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure, AllElementTypesMatch<["source", "result"]>]> {
  let summary = "repeat a tensor along its dimensions of size one";
  let description = [{
    `result[i...] = source[i or 0 ...]`, 0 in each dimension that is 1 in the source.

    - (broadcast_c1) the ranks are equal, and each dimension is equal or 1 in the source;
    - (broadcast_c2) the source's layout is the result's with the repeated dimensions' coordinates set to
      zero and without the registers that then hold copies. It may have copies of its own in registers.

    ```mlir
    %b = tile.broadcast %c : tensor<1x32xi32> -> tensor<16x32xi32>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure, AllElementTypesMatch<["source", "result"]>]> {
  let summary = "the same elements under another shape";
  let description = [{
    Elements keep their row-major order. Nothing moves between threads.

    - (reshape_c1) source and result have the same number of elements;
    - (reshape_c2) the row-major index of the element that a thread holds is the same before and after.

    ```mlir
    %r = tile.reshape %x : tensor<4x8xf32> -> tensor<32xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_TransOp : Tile_Op<"trans", [Pure, AllElementTypesMatch<["source", "result"]>]> {
  let summary = "reorder the dimensions of a tensor";
  let description = [{
    Dimension `d` of the result is dimension `order[d]` of the source. Nothing moves between threads.

    - (trans_c1) `order` names each dimension of the source once;
    - (trans_c2) the result has the source's shape in that order;
    - (trans_c3) the coordinates of the layouts are permuted likewise.

    ```mlir
    %t = tile.trans %x, [1, 0] : tensor<16x32xf32> -> tensor<32x16xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source, DenseI32ArrayAttr:$order);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$source `,` $order attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "two tensors side by side along a new last dimension";
  let description = [{
    `result[i..., 0] = lhs[i...]` and `result[i..., 1] = rhs[i...]`. Nothing moves between threads. The front end
    makes tensors of scalars first.

    - (join_c1) the result has the operands' elements, and their shape with a last dimension of two;
    - (join_c2) in the result's layout one bit of registers, and nothing else, moves along that dimension; without
      both it is the operands'.

    ```mlir
    %j = tile.join %a, %b : tensor<16xf32> -> tensor<16x2xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$lhs, Tile_AnyTensor:$rhs);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_SplitOp : Tile_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "the two halves of a tensor along its last dimension, which is two";
  let description = [{
    `lhs[i...] = source[i..., 0]` and `rhs[i...] = source[i..., 1]`: what `tile.join` undoes. Nothing moves between
    threads.

    - (split_c1) the results have the source's elements, and its shape without a last dimension of two;
    - (split_c2) in the source's layout one bit of registers, and nothing else, moves along that dimension; without
      both it is the results'.

    ```mlir
    %a, %b = tile.split %j : tensor<16x2xf32> -> tensor<16xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source);
  let results = (outs Tile_AnyTensor:$lhs, Tile_AnyTensor:$rhs);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($lhs)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure, AllElementTypesMatch<["source", "result"]>]> {
  let summary = "hand the same tensor to other threads and registers";
  let description = [{
    The elements do not change, only where they live: the one op between whose operand and result the
    layout may differ freely. Made and removed by the distribute stage; lowering picks the cheapest way
    (renaming registers, shuffles, shared memory) from the two maps.

    - (convert_layout_c1) source and result have one shape;
    - (convert_layout_c2) both have a layout.

    ```mlir
    %b = tile.convert_layout %a : tensor<32xf32, #l0> -> tensor<32xf32, #l1>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // TEGULA_DIALECT_TILE_SHAPE_OPS
