//===- TgpuOps.td - buffers in shared memory and what moves their elements --===//

#ifndef TEGULA_DIALECT_TGPU_OPS
#define TEGULA_DIALECT_TGPU_OPS

include "dialect/tgpu/TgpuBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tgpu_AllocOp : Tgpu_Op<"alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "room in shared memory";
  let description = [{
    The elements are undefined at first. The room is the buffer's own from the first op that uses it to the last,
    around the loops that contain these; `allocate-shared` of the lower stage says where it is.

    - (alloc_c1) is outside of loops and branches.

    ```mlir
    %b = tgpu.alloc : !tgpu.buffer<3 of tensor<128x64xf16>, #shared>
    ```
  }];
  let results = (outs Tgpu_BufferType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tgpu_LocalStoreOp : Tgpu_Op<"local_store", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "write a tensor into a buffer";
  let description = [{
    The slot's tensor is `source` afterwards. A slot that there is not must not be named.

    - (local_store_c1) `source` has the shape and elements of the buffer's tensors.

    ```mlir
    tgpu.local_store %x into %b[%slot] : tensor<128x64xf16, #rows>, !tgpu.buffer<1 of tensor<128x64xf16>, #shared>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source, Tgpu_BufferType:$buffer, I32:$slot);
  let assemblyFormat = "$source `into` $buffer `[` $slot `]` attr-dict `:` type($source) `,` type($buffer)";
  let hasVerifier = 1;
}

def Tgpu_LocalLoadOp : Tgpu_Op<"local_load", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read a tensor, or a part of it, from a buffer";
  let description = [{
    `result[i, j, ...] = slot's tensor[offsets[0] + i, offsets[1] + j, ...]`. Copies into the slot must have been
    waited for.

    In a loop over parts, `position` says at run time which one it is: the part then begins `position * stride`
    elements farther along `axis`. It counts from 0 to the number of strides in the buffer's side, that one not
    included. Parts of one stride differ in `offsets` alone, so their addresses differ by numbers that are known.

    - (local_load_c1) there is an offset for each axis;
    - (local_load_c2) each offset is a multiple of the result's side along its axis, and the part lies inside;
    - (local_load_c3) the elements are the buffer's;
    - (local_load_c4) `position`, `stride` and `axis` are there together;
    - (local_load_c5) `axis` is one of the buffer's;
    - (local_load_c6) `stride` is a power of two up to the buffer's side along `axis`, and the part lies inside the
      first stride.

    ```mlir
    %x = tgpu.local_load %b[%slot] at [0, 16] : !tgpu.buffer<3 of tensor<128x64xf16>, #shared> -> tensor<128x16xf16, #fragment>
    %y = tgpu.local_load %b[%slot] at [0, 4] + %k * 16 along 1 : !tgpu.buffer<3 of tensor<128x64xf32>, #shared> -> tensor<128x4xf32, #rows>
    ```
  }];
  let arguments = (ins Tgpu_BufferType:$buffer, I32:$slot, DenseI32ArrayAttr:$offsets, Optional<I32>:$position,
                       OptionalAttr<I32Attr>:$stride, OptionalAttr<I32Attr>:$axis);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = [{
    $buffer `[` $slot `]` `at` $offsets (`+` $position^ `*` $stride `along` $axis)? attr-dict
    `:` type($buffer) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$buffer, "::mlir::Value":$slot,
                                 "::llvm::ArrayRef<int32_t>":$offsets),
                            [{ build($_builder, $_state, result, buffer, slot, offsets, {}, {}, {}); }]>];
  let hasVerifier = 1;
}

def Tgpu_LocalAtomicOp : Tgpu_Op<"local_atomic", [AllTypesMatch<["value", "index"]>,
    OptionalTypesMatchWith<"mask has the shape and layout of the values", "value", "mask",
        "::tegula::tile::withElementType($_self, ::mlir::IntegerType::get($_self.getContext(), 1))">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "change elements of a buffer, each in one step";
  let description = [{
    `buffer[index[i]] = kind(buffer[index[i]], value[i])` where `mask[i]` holds, everywhere without a mask, each as one
    step that no other access comes between. Elements of one index all take part, in any order. An index is counted
    without sign, and must be below the buffer's side where the mask holds. Old values go nowhere, so two such ops on a buffer need
    no barrier between them. Made by `privatize-atomics`.

    - (local_atomic_c1) the buffer has one slot and one axis;
    - (local_atomic_c2) its elements are those of `value`;
    - (local_atomic_c3) the kind is neither `fadd` nor `xchg`.

    ```mlir
    tgpu.local_atomic add, %one at %bin mask %m in %b : tensor<1024xi32, #l>, !tgpu.buffer<1 of tensor<2048xi32>, #table>
    ```
  }];
  let arguments = (ins Tile_AtomicKindAttr:$kind, TileTensorOf<[I32]>:$value, TileTensorOf<[I32]>:$index,
                       Optional<TileTensorOf<[I1]>>:$mask, Tgpu_BufferType:$buffer);
  let assemblyFormat = [{
    $kind `,` $value `at` $index (`mask` $mask^)? `in` $buffer attr-dict `:` type($value) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tgpu_SliceOp : Tgpu_Op<"slice", [Pure, AllElementTypesMatch<["source", "result"]>]> {
  let summary = "a part of a tensor that each thread holds already";
  let description = [{
    `result[i, j, ...] = source[offsets[0] + i, offsets[1] + j, ...]`. Nothing moves: registers get another name, and
    the layout of the result follows from the source's. Not a way to read a part of a buffer: see
    `tgpu.local_load`. Made where a dot is cut along K, for an operand that was computed in registers.

    - (slice_c1) there is an offset for each axis;
    - (slice_c2) each offset is a multiple of the result's side along its axis, and the part lies inside;
    - (slice_c3) both have a layout, and each thread has all that it is to have of the result, in the same registers
      as every other thread.

    ```mlir
    %x = tgpu.slice %p at [0, 16] : tensor<128x64xf16, #fragments> -> tensor<128x16xf16, #fragment>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source, DenseI32ArrayAttr:$offsets);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$source `at` $offsets attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tgpu_InsertOp : Tgpu_Op<"insert", [Pure, AllElementTypesMatch<["part", "whole"]>, AllTypesMatch<["whole", "result"]>]> {
  let summary = "replace a part of a tensor in the registers of each thread";
  let description = [{
    `result[offsets[0] + i, offsets[1] + j, ...] = part[i, j, ...]`, and elsewhere `result` is `whole`: the inverse of
    `tgpu.slice`. Nothing moves. Made where the columns of a product are computed part by part.

    - (insert_c1) there is an offset for each axis;
    - (insert_c2) each offset is a multiple of the part's side along its axis, and the part lies inside;
    - (insert_c3) both have a layout, and each thread has of `whole` all that it has of the part, in the same registers as
      every other thread.

    ```mlir
    %y = tgpu.insert %part into %x at [0, 128] : tensor<128x128xf32, #half> -> tensor<128x256xf32, #sums>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$part, Tile_AnyTensor:$whole, DenseI32ArrayAttr:$offsets);
  let results = (outs Tile_AnyTensor:$result);
  let assemblyFormat = "$part `into` $whole `at` $offsets attr-dict `:` type($part) `->` type($result)";
  let hasVerifier = 1;
}

def Tgpu_AsyncCopyOp : Tgpu_Op<"async_copy", [AttrSizedOperandSegments,
    OptionalTypesMatchWith<"mask has the shape and layout of the pointers", "pointers", "mask",
        "::tegula::tile::withElementType($_self, ::mlir::IntegerType::get($_self.getContext(), 1))">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "start to copy from global memory into a buffer";
  let description = [{
    `slot's tensor[i] = mask[i] ? *pointers[i] : 0`, at some time between this op and the `tgpu.async_wait` that
    waits for its group; until then neither may the slot be read or written nor the global memory be
    changed. Where `condition` does not hold nothing is copied at all. The copies since the last
    `tgpu.async_commit` form its group. The layout of `pointers` says which thread copies what.

    Not every load can be one: 4, 8 or 16 bytes at a time are copied, whole or not at all.

    - (async_copy_c1) `pointers` are a tensor of the shape of the buffer's tensors;
    - (async_copy_c2) they point to the buffer's elements.

    `mask` has their shape and layout.

    ```mlir
    tgpu.async_copy %p mask %m if %more into %b[%slot] : tensor<128x64x!tile.ptr<f16>, #rows>, !tgpu.buffer<3 of tensor<128x64xf16>, #shared>
    ```
  }];
  let arguments = (ins TileTensorOf<[Tile_PtrType]>:$pointers, Optional<TileTensorOf<[I1]>>:$mask,
                       Optional<I1>:$condition, Tgpu_BufferType:$buffer, I32:$slot,
                       DefaultValuedAttr<Tile_CacheModifierAttr, "::tegula::tile::CacheModifier::None">:$cache,
                       DefaultValuedAttr<Tile_EvictionPolicyAttr, "::tegula::tile::EvictionPolicy::Normal">:$evict);
  let assemblyFormat = [{
    $pointers (`mask` $mask^)? (`if` $condition^)? `into` $buffer `[` $slot `]`
    (`cache` $cache^)? (`evict` $evict^)? attr-dict `:` type($pointers) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tgpu_AsyncCommitOp : Tgpu_Op<"async_commit", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "make a group of the copies started since the last one";
  let description = [{
    A group may be empty.

    ```mlir
    tgpu.async_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tgpu_AsyncWaitOp : Tgpu_Op<"async_wait", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "wait until all but the last groups are copied";
  let description = [{
    Each thread waits for its own copies of all groups but the `pending` last. What other threads copied is there
    after a barrier that follows, which `place-barriers` puts.

    - (async_wait_c1) `pending` is not negative.

    ```mlir
    tgpu.async_wait pending 1
    ```
  }];
  let arguments = (ins I32Attr:$pending);
  let assemblyFormat = "`pending` $pending attr-dict";
  let hasVerifier = 1;
}

#endif // TEGULA_DIALECT_TGPU_OPS
