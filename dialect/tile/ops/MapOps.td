//===- MapOps.td - a function of scalars, for every element ----------------===//

#ifndef TEGULA_DIALECT_TILE_MAP_OPS
#define TEGULA_DIALECT_TILE_MAP_OPS

include "dialect/tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_MapOp : Tile_Op<"map", [Tile_PureButForRegion, SingleBlock, IsolatedFromAbove, Tile_SameShapeAndLayout]> {
  let summary = "a function of scalars, for every element";
  let description = [{
    The region runs for each `pack` elements that a thread holds, with branches and loops of its own: an element for
    which a side is not taken does not pay for it. It sees scalars: of each operand in turn `pack` elements, and yields as
    many for each result. Which elements come together is left to the layout, and a thread whose elements are no
    multiple of `pack` runs it with copies of one it has: element i of a result should follow from elements i alone.
    From `tl.map_elementwise`. What is straight code is better as ops on tensors.

    - (map_c1) `pack` is above 0, and there is an operand and a result, all tensors;
    - (map_c2) the region takes `pack` scalars of each operand and yields `pack` for each result;
    - (map_c3) nothing in the region makes a tensor or has an effect, except assertions and prints.

    ```mlir
    %y = tile.map %x pack 1 : tensor<64xf32> -> tensor<64xf32> {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      tile.yield %b : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_AnyTensor>:$operands, I32Attr:$pack);
  let results = (outs Variadic<Tile_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $operands `pack` $pack attr-dict `:` type($operands) `->` type($results) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // TEGULA_DIALECT_TILE_MAP_OPS
