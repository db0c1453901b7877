//===- TmaStoreOps.td - boxes of an array that TMA writes ---===//

#ifndef TEGULA_DIALECT_TGPU_TMA_STORE_OPS
#define TEGULA_DIALECT_TGPU_TMA_STORE_OPS

include "dialect/tgpu/TmaOps.td"

def Tgpu_TmaStoreOp : Tgpu_Op<"tma_store", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "start to write a tensor to boxes of an array, by way of a buffer";
  let description = [{
    Writes `source` into the slot; from there TMA writes it to the part of the map's array that begins at
    `start`, a coordinate for each axis of the map: its contiguous axis is the map's first and its other one the
    second, along further ones it lies at `start`. Elements outside of the array are left out. The slot is read, and
    the array changed, at some time before the `tgpu.tma_store_wait` that waits for it: until then the slot may not
    be written, nor the array be accessed. Each op is a group of its own: waits count them.

    With `parts` each of so many equal parts of the warps writes a share of the slot's boxes and has them stored
    without waiting for the others. The threads' own order, fences and the barrier of a part are part of the op.

    - (tma_store_c1) there is a coordinate for each axis of the map, and the map has two or more;
    - (tma_store_c2) `source` has the shape and elements of the buffer's tensors;
    - (tma_store_c3) the buffer's tensors are whole boxes of the map as these lie in memory (`asTmaBoxes` of
      `dialect/layout/UnitMemory.h`), as many for each part;
    - (tma_store_c4) there are 1, 2, 4 or 8 parts; of several each has in its registers what its share of the slot is to be,
      and no more.

    ```mlir
    tgpu.tma_store %x by %b[%slot] to %map[%n, %m] parts 2
        : tensor<128x64xbf16, #sums>, !tgpu.buffer<2 of tensor<128x64xbf16>, #rows>
    ```
  }];
  let arguments = (ins Tile_AnyTensor:$source, Tgpu_BufferType:$buffer, I32:$slot, Tgpu_MapType:$map,
                       Variadic<I32>:$start, DefaultValuedAttr<I32Attr, "1">:$parts);
  let assemblyFormat = [{
    $source `by` $buffer `[` $slot `]` `to` $map `[` $start `]` (`parts` $parts^)? attr-dict
    `:` type($source) `,` type($buffer)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    TensorMapOp getTensorMap();
    /// Returns the boxes of a slot, those of the first part first.
    TmaBoxes getBoxes();
  }];
}

def Tgpu_TmaStoreWaitOp : Tgpu_Op<"tma_store_wait", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "wait until all but the last stores of boxes are done";
  let description = [{
    Waits for all `tgpu.tma_store` but the `pending` last: until the array has what they store, or, with `read`, only
    until they have read their slots. With `refill` all threads of each of the `parts` parts of the warps know it and
    may write the slots again; without it only those know that started the stores. A program may not end before what it
    stores is read.

    - (tma_store_wait_c1) `pending` is not negative;
    - (tma_store_wait_c2) there are 1, 2, 4 or 8 parts.

    ```mlir
    tgpu.tma_store_wait pending 1 read refill parts 2
    ```
  }];
  let arguments = (ins I32Attr:$pending, UnitAttr:$read, UnitAttr:$refill, DefaultValuedAttr<I32Attr, "1">:$parts);
  let assemblyFormat = "`pending` $pending (`read` $read^)? (`refill` $refill^)? (`parts` $parts^)? attr-dict";
  let hasVerifier = 1;
}

#endif // TEGULA_DIALECT_TGPU_TMA_STORE_OPS
