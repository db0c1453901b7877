//===- MoveOps.td - elements that change places along an axis --------------===//

#ifndef TEGULA_DIALECT_TILE_MOVE_OPS
#define TEGULA_DIALECT_TILE_MOVE_OPS

include "dialect/tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ButterflyOp : Tile_Op<"butterfly", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "exchange elements whose places along an axis differ in given bits";
  let description = [{
    `result[..., k, ...] = source[..., k xor mask, ...]` along `axis`. With a mask of one bit each element meets
    its partner of a sorting network; with all bits the axis is turned round. From `tl.flip`, `tl.sort` and
    `tl.topk`; lowered to renamed registers, to a shuffle each, or through shared memory where the elements that
    change places belong to different warps.

    - (butterfly_c1) `axis` is an axis of the source;
    - (butterfly_c2) `mask` is from 1 to the last place along it.

    ```mlir
    %y = tile.butterfly %x axis 0 mask 63 : tensor<64xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source, I32Attr:$axis, I32Attr:$mask);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$source `axis` $axis `mask` $mask attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [Pure, AllElementTypesMatch<["source", "result"]>]> {
  let summary = "pick elements along an axis by their numbers";
  let description = [{
    `result[i, ..., j, ...] = source[i, ..., indices[i, ..., j, ...], ...]` along `axis`. An index beyond the source's
    side gives an undefined element. From `tl.gather`; the source goes through shared memory.

    - (gather_c1) all have one rank, and `axis` is one of its axes;
    - (gather_c2) the result has the shape of the indices, which is the source's along every other axis;
    - (gather_c3) indices and result have one layout; the source has any, or none where they have none.

    ```mlir
    %y = tile.gather %x[%i] axis 1 : tensor<16x32xf32>, tensor<16x8xi32> -> tensor<16x8xf32>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source, TileTensorOf<[Tile_Int]>:$indices, I32Attr:$axis);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` `axis` $axis attr-dict `:` type($source) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // TEGULA_DIALECT_TILE_MOVE_OPS
