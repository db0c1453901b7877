//===- MemoryOps.td - pointers, loads and stores ---------------------------===//

#ifndef TEGULA_DIALECT_TILE_MEMORY_OPS
#define TEGULA_DIALECT_TILE_MEMORY_OPS

include "dialect/tile/Effects.td"
include "dialect/tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_AddPtrOp : Tile_Op<"addptr",
    [Pure, AllTypesMatch<["pointer", "result"]>, Tile_SameShapeAndLayout]> {
  let summary = "step a pointer by a number of elements";
  let description = [{
    `result = pointer + offset * size of the pointee`; the offset is a signed integer. Unsigned offsets
    narrower than 64 bits are widened by the front end. Not checked for overflow.

    ```mlir
    %q = tile.addptr %p, %i : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$pointer, Tile_IntLike:$offset);
  let results = (outs Tile_PtrLike:$result);
  let assemblyFormat = "$pointer `,` $offset attr-dict `:` type($pointer) `,` type($offset)";
  let hasFolder = 1;
}

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments, Tile_SameShapeAndLayout,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>]> {
  let summary = "read memory through a pointer or a tensor of pointers";
  let description = [{
    `result[i] = mask[i] ? *pointer[i] : other[i]`. Without `other` the elements where the mask is false
    are undefined; without a mask every element is read. Addresses under a false mask are not accessed
    and need not be valid. `cache` and `evict` are hints about caches; a volatile read is neither
    dropped nor merged. Pointers, mask and values all are scalars or all are tensors of one shape. Where there is a
    `box`, it says the same as pointers and mask, but that it has zeros where the mask does not hold.

    - (load_c1) the result's elements are of the pointee's type;
    - (load_c2) the pointee is not `i1`: the front end reads such memory as `i8`;
    - (load_c3) the cache modifier is one of reading: ca, cg, cs, cv;
    - (load_c4) `other` comes with a mask;
    - (load_c5) `other` has the result's type.

    ```mlir
    %v = tile.load %p, %m, %zero cache = cg evict = evict_last : tensor<64x!tile.ptr<f32>>
    %w = tile.load %q, %m in %box : tensor<64x64x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$pointer, Optional<Tile_BoolLike>:$mask, Optional<Tile_Value>:$other,
                       Optional<Tile_BoxType>:$box,
                       DefaultValuedAttr<Tile_CacheModifierAttr, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicyAttr, "EvictionPolicy::Normal">:$evict,
                       UnitAttr:$isVolatile);
  let results = (outs Tile_Value:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$pointer, CArg<"::mlir::Value", "{}">:$mask,
      CArg<"::mlir::Value", "{}">:$other, CArg<"CacheModifier", "CacheModifier::None">:$cache,
      CArg<"EvictionPolicy", "EvictionPolicy::Normal">:$evict, CArg<"bool", "false">:$isVolatile)>];
}

def Tile_StoreOp : Tile_Op<"store", [AttrSizedOperandSegments, Tile_SameShapeAndLayout,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>]> {
  let summary = "write memory through a pointer or a tensor of pointers";
  let description = [{
    `*pointer[i] = value[i]` where `mask[i]` holds, everywhere without a mask. Two elements with one
    address: which of the two remains is undefined. Addresses under a false mask need not be valid. Where there is a
    `box`, it says the same as pointers and mask.

    - (store_c1) the value's elements are of the pointee's type;
    - (store_c2) the pointee is not `i1`: the front end writes such memory as `i8`;
    - (store_c3) the cache modifier is one of writing: wb, cg, cs, wt.

    ```mlir
    tile.store %p, %v, %m : tensor<64x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$pointer, Tile_Value:$value, Optional<Tile_BoolLike>:$mask,
                       Optional<Tile_BoxType>:$box,
                       DefaultValuedAttr<Tile_CacheModifierAttr, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicyAttr, "EvictionPolicy::Normal">:$evict);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$pointer, "::mlir::Value":$value, "::mlir::Value":$mask,
      "CacheModifier":$cache, "EvictionPolicy":$evict)>];
}

class Tile_PtrCastOp<string mnemonic, list<Trait> traits = []> : Tile_Op<mnemonic,
    !listconcat([Pure, Tile_SameShapeAndLayout], traits)> {
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
}

def Tile_IntToPtrOp : Tile_PtrCastOp<"int_to_ptr"> {
  let summary = "take a 64-bit integer as an address";
  let description = [{
    The integer is the address in bytes. Not a conversion of values: no bit changes.

    ```mlir
    %p = tile.int_to_ptr %i : i64 -> !tile.ptr<f32>
    ```
  }];
  let arguments = (ins TileLike<I64, "i64">:$source);
  let results = (outs Tile_PtrLike:$result);
  let hasCanonicalizeMethod = 1;
}

def Tile_PtrToIntOp : Tile_PtrCastOp<"ptr_to_int"> {
  let summary = "take an address as a 64-bit integer";
  let description = [{
    The integer is the address in bytes, whatever the pointee.

    ```mlir
    %i = tile.ptr_to_int %p : !tile.ptr<f32> -> i64
    ```
  }];
  let arguments = (ins Tile_PtrLike:$source);
  let results = (outs TileLike<I64, "i64">:$result);
}

def Tile_BitcastOp : Tile_PtrCastOp<"bitcast"> {
  let summary = "take a pointer as a pointer to another type";
  let description = [{
    The address stays as it is. Integers and floats are reinterpreted by `arith.bitcast` instead.

    ```mlir
    %q = tile.bitcast %p : !tile.ptr<f32> -> !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_PtrLike:$source);
  let results = (outs Tile_PtrLike:$result);
  let hasCanonicalizeMethod = 1;
}

#endif // TEGULA_DIALECT_TILE_MEMORY_OPS
