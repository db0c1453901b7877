//===- ViewOps.td - arrays in memory, and blocks of them -------------------===//

#ifndef TEGULA_DIALECT_TILE_VIEW_OPS
#define TEGULA_DIALECT_TILE_VIEW_OPS

include "dialect/tile/Effects.td"
include "dialect/tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ViewOp : Tile_Op<"view", [Pure, AttrSizedOperandSegments]> {
  let summary = "an array in memory: where it begins, its sides and the steps along them";
  let description = [{
    The element at coordinates `c` is `sum(c[d] * strides[d])` elements after `base`; it belongs to the array
    where `0 <= c[d] < sizes[d]` for every axis `d`. An array with a negative size has no elements. Nothing is
    accessed: that is `tile.view_load` and `tile.view_store`. From `tl.make_block_ptr` and
    `tl.make_tensor_descriptor`; `expand-views` turns accesses into pointers again.

    - (view_c1) there are as many sizes and as many strides as the view has axes;
    - (view_c2) `base` points to the view's elements.

    ```mlir
    %v = tile.view %x, sizes [%m, %n], strides [%row, %one] : !tile.ptr<bf16> -> !tile.view<2 x bf16>
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Variadic<I64>:$sizes, Variadic<I64>:$strides);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $base `,` `sizes` `[` $sizes `]` `,` `strides` `[` $strides `]` attr-dict `:` qualified(type($base)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_ViewBaseOp : Tile_Op<"view_base", [Pure]> {
  let summary = "the beginning of the array of a view";
  let description = [{
    The pointer that the view was made with, for accesses that are no blocks: rows that are picked by their numbers,
    and atomic updates. From the methods `gather`, `scatter` and `atomic_add` of tensor descriptors and their like;
    `expand-views` replaces it. Not a load: nothing is accessed.

    - (view_base_c1) the result points to the view's elements.

    ```mlir
    %p = tile.view_base %v : !tile.view<2 x bf16> -> !tile.ptr<bf16>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view);
  let results = (outs Tile_PtrType:$result);
  let assemblyFormat = "$view attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

class Tile_ViewAccessOp<string mnemonic> : Tile_Op<mnemonic,
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>]>;

def Tile_ViewLoadOp : Tile_ViewAccessOp<"view_load"> {
  let summary = "read a block of an array";
  let description = [{
    `result[i...] = array[start + i...]`, from the signed coordinates `start` on. Along the axes in `checked` the
    block may reach over the array's edges: elements outside are not accessed, and are what `padding` says. Along
    the others the program promises that the block lies inside, and nothing is compared. Not a tensor of
    pointers: those need not lie in any order.

    - (view_load_c1) there is a start for each axis of the view, and the result has as many;
    - (view_load_c2) the result's elements are the view's;
    - (view_load_c3) `checked` names axes, each once and in order;
    - (view_load_c4) only floats are padded with `nan`;
    - (view_load_c5) the cache modifier is one of reading: ca, cg, cs, cv;
    - (view_load_c6) the result has no layout: before there are any, views become pointers.

    ```mlir
    %x = tile.view_load %v[%i, %j] checked [0, 1] padding = zero : !tile.view<2 x bf16> -> tensor<128x64xbf16>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I32>:$start,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$checked,
                       DefaultValuedAttr<Tile_PaddingAttr, "Padding::None">:$padding,
                       DefaultValuedAttr<Tile_CacheModifierAttr, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicyAttr, "EvictionPolicy::Normal">:$evict,
                       UnitAttr:$isVolatile);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = [{
    $view `[` $start `]` (`checked` $checked^)? (`padding` `=` $padding^)? (`cache` `=` $cache^)?
    (`evict` `=` $evict^)? (`volatile` $isVolatile^)? attr-dict `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ViewStoreOp : Tile_ViewAccessOp<"view_store"> {
  let summary = "write a block of an array";
  let description = [{
    `array[start + i...] = value[i...]`, from the signed coordinates `start` on. Along the axes in `checked`
    elements outside of the array are left out; along the others the program promises that the block lies inside.

    - (view_store_c1) there is a start for each axis of the view, and the value has as many;
    - (view_store_c2) the value's elements are the view's;
    - (view_store_c3) `checked` names axes, each once and in order;
    - (view_store_c4) the cache modifier is one of writing: wb, cg, cs, wt;
    - (view_store_c5) the value has no layout: before there are any, views become pointers.

    ```mlir
    tile.view_store %v[%i, %j], %x checked [0] : !tile.view<2 x bf16>, tensor<128x64xbf16>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I32>:$start, Tile_AnyTensor:$value,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$checked,
                       DefaultValuedAttr<Tile_CacheModifierAttr, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicyAttr, "EvictionPolicy::Normal">:$evict);
  let assemblyFormat = [{
    $view `[` $start `]` `,` $value (`checked` $checked^)? (`cache` `=` $cache^)? (`evict` `=` $evict^)?
    attr-dict `:` qualified(type($view)) `,` type($value)
  }];
  let hasVerifier = 1;
}

#endif // TEGULA_DIALECT_TILE_VIEW_OPS
