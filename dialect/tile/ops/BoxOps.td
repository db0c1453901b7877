//===- BoxOps.td - which box of an array an access reads or writes ----------===//

#ifndef TEGULA_DIALECT_TILE_BOX_OPS
#define TEGULA_DIALECT_TILE_BOX_OPS

include "dialect/tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_BoxOp : Tile_Op<"box", [Pure, AttrSizedOperandSegments]> {
  let summary = "the box of an array that an access reads or writes";
  let description = [{
    An access through pointers says element by element where it reads. Where these are the elements of a box, this says
    so in full, as a tensor map of TMA wants it: the array at `base` has an axis for each axis of the tensor, in its
    order, and maybe more, along which the box has one element. `strides` are the elements from one place along an axis
    to the next, `sizes` how many there are, -1 where nothing bounds them: parameters of the kernel, or constants.
    `starts` says where the box begins along each axis: dimension 0 of the map is the iteration number of the loop
    around the access, `(counter - first) / step` of `round`, and its symbols are `symbols`. Elements of the box outside
    of the array are zero, and are not written.

    Each start is known to be a multiple of the number in `multiples`. Along axes `in_front` the box may begin below
    zero; where a start along axes `saturated` does not fit 32 bits, the greatest that fits stands for it.

    - (box_c1) there are as many sizes, strides, starts and multiples;
    - (box_c2) `round` is a counter, where it begins and its step, or nothing where no start has dimension 0;
    - (box_c3) the starts have as many symbols as `symbols`;
    - (box_c4) `in_front` and `saturated` name axes of the box.

    ```mlir
    %b = tile.box %x, sizes [%m, -1], strides [%row, 1], starts affine_map<(d0)[s0] -> (s0 * 128, d0 * 64)>(%i, %c0, %c1)[%pid]
         multiples [128, 64] : (!tile.ptr<bf16>, i32, i32, i32, i32, i32, i32) -> !tile.box
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Variadic<AnyInteger>:$sizes, DenseI64ArrayAttr:$static_sizes,
                       Variadic<AnyInteger>:$strides, DenseI64ArrayAttr:$static_strides, AffineMapAttr:$starts,
                       Variadic<AnyInteger>:$round, Variadic<AnyInteger>:$symbols, DenseI64ArrayAttr:$multiples,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$in_front,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$saturated);
  let results = (outs Tile_BoxType:$result);
  let assemblyFormat = [{
    $base `,` `sizes` custom<DynamicIndexList>($sizes, $static_sizes)
    `,` `strides` custom<DynamicIndexList>($strides, $static_strides)
    `,` `starts` $starts `(` $round `)` `[` $symbols `]` `multiples` $multiples attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TEGULA_DIALECT_TILE_BOX_OPS
