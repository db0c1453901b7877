//===- ScheduleOps.td - loads that are yet to be pipelined ---------------------===//

#ifndef TEGULA_DIALECT_TGPU_SCHEDULE_OPS
#define TEGULA_DIALECT_TGPU_SCHEDULE_OPS

include "dialect/tgpu/TmaOps.td"

def Tgpu_TmaLoadOp : Tgpu_Op<"tma_load", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>]> {
  let summary = "load boxes of an array into a buffer";
  let description = [{
    The slot's tensor is the part of the map's array that begins at `start`, as `tgpu.tma_copy` would copy it, from
    here on: there is nothing to wait for. No instruction does that, so the op is gone at the end of the schedule stage.

    Made by `plan-loops` of a `tile.load` and the `tgpu.local_store` after it, taken apart into `tgpu.tma_copy` and
    waits by `pipeline-loops` or `specialize-warps`. Without `tgpu.fetch` it stands in front of a producer's loops, whose
    products read it in all iterations.

    - (tma_load_c1) there is a coordinate for each axis of the map, and the map has two or more;
    - (tma_load_c2) the buffer's tensors are of the map's elements, and whole boxes of the map as these lie in memory
      (`asTmaBoxes` of `dialect/layout/UnitMemory.h`).

    ```mlir
    tgpu.tma_load %map[%k, %m] into %b[%slot] {tgpu.fetch = #tgpu.fetch<by = tma>}
        : !tgpu.buffer<4 of tensor<128x64xbf16>, #a>
    ```
  }];
  let arguments = (ins Tgpu_MapType:$map, Variadic<I32>:$start, Tgpu_BufferType:$buffer, I32:$slot);
  let assemblyFormat = [{
    $map `[` $start `]` `into` $buffer `[` $slot `]` attr-dict `:` type($buffer)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    TensorMapOp getTensorMap();
    /// Returns whether it stands in front of the loops whose products read it.
    bool isKept() { return !getOperation()->hasAttr(FetchAttr::AttrName); }
  }];
}

#endif // TEGULA_DIALECT_TGPU_SCHEDULE_OPS
