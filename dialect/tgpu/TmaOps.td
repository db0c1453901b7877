//===- TmaOps.td - copies of whole boxes of an array, by TMA -===//

#ifndef TEGULA_DIALECT_TGPU_TMA_OPS
#define TEGULA_DIALECT_TGPU_TMA_OPS

include "dialect/tgpu/TgpuBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tgpu_MapType : TypeDef<Tgpu_Dialect, "Map"> {
  let mnemonic = "map";
  let summary = "a tensor map: an array and its boxes, as TMA takes them";
  let description = [{
    Made by `tgpu.tensor_map`; 128 bytes that the launch fills.

    ```mlir
    !tgpu.map
    ```
  }];
}

def Tgpu_BarriersType : TypeDef<Tgpu_Dialect, "Barriers"> {
  let mnemonic = "barriers";
  let summary = "barriers in shared memory that copies arrive at, one for each slot";
  let description = [{
    A barrier goes from phase to phase, counted from zero. A phase is complete when it has had its arrivals and the
    bytes that it expects are there. `tgpu.barrier_expect` is one arrival and says how many bytes. Readers of a slot that say
    that they are done with it, by `tgpu.barrier_arrive`, are several: `arrivals`, 1 where nothing is said. In a kernel
    with `tile.pairs` they may be those of as many `blocks` of a cluster, where the launch makes clusters: each block
    then arrives at the barriers of all.

    - (barriers_c1) there are 1 to 32;
    - (barriers_c2) there are 1 to 32 arrivals;
    - (barriers_c3) they are those of 1 or 2 blocks.
  }];
  let parameters = (ins "uint32_t":$slots, DefaultValuedParameter<"uint32_t", "1">:$arrivals,
                        DefaultValuedParameter<"uint32_t", "1">:$blocks);
  let assemblyFormat = "`<` $slots (`,` `arrivals` $arrivals^)? (`from` $blocks^ `blocks`)? `>`";
  let genVerifyDecl = 1;
}

def Tgpu_TensorMapOp : Tgpu_Op<"tensor_map", [Pure, AttrSizedOperandSegments]> {
  let summary = "describe an array to TMA at launch";
  let description = [{
    An array at `base` with axes of these `sizes`, the contiguous one first; `strides` are the steps along the others,
    in elements. Copies move boxes with sides `box`. Elements of a box outside the array are zero, and its coordinates
    may be negative. In shared memory 16-byte chunks of rows of `swizzle` bytes are flipped by the row's number modulo
    8, as `dialect/layout/UnitMemory.h` tells; 0 is no swizzle.

    The map is made at launch, from the arguments, and is an implicit argument of the kernel. Not `tile.view`: that may
    begin anywhere and have any stride.

    - (tensor_map_c1) is outside of loops and branches;
    - (tensor_map_c2) `base`, and each size and stride, is a parameter of the kernel, or a constant;
    - (tensor_map_c3) there are 1 to 5 axes, each with a side of the box from 1 to 256, and a stride for all but the
      first;
    - (tensor_map_c4) a row of the box has a multiple of 16 bytes, and with a swizzle of 32, 64 or 128 bytes as many.

    ```mlir
    %map = tgpu.tensor_map %a, sizes [%k, %m], strides [%row] box [64, 128] swizzle 128
        : !tile.ptr<bf16>, [i32, i32], [i32]
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Variadic<AnyTypeOf<[I32, I64]>>:$sizes,
                       Variadic<AnyTypeOf<[I32, I64]>>:$strides, DenseI32ArrayAttr:$box, I32Attr:$swizzle);
  let results = (outs Tgpu_MapType:$result);
  let assemblyFormat = [{
    $base `,` `sizes` `[` $sizes `]` `,` `strides` `[` $strides `]` `box` $box `swizzle` $swizzle attr-dict
    `:` qualified(type($base)) `,` `[` type($sizes) `]` `,` `[` type($strides) `]`
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Type getElementType() { return getBase().getType().getPointee(); }
  }];
}

def Tgpu_BarriersOp : Tgpu_Op<"barriers", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "room for barriers in shared memory";
  let description = [{
    Before `tgpu.barriers_init` they are none.

    - (barriers_op_c1) is outside of loops and branches.

    ```mlir
    %bars = tgpu.barriers : !tgpu.barriers<4>
    ```
  }];
  let results = (outs Tgpu_BarriersType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tgpu_BarriersInitOp : Tgpu_Op<"barriers_init", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "barriers begin: all are in phase 0";
  let description = [{
    All threads wait for each other, since all are going to wait at the barriers.

    ```mlir
    tgpu.barriers_init %bars : !tgpu.barriers<4>
    ```
  }];
  let arguments = (ins Tgpu_BarriersType:$barriers);
  let assemblyFormat = "$barriers attr-dict `:` type($barriers)";
}

def Tgpu_BarriersEndOp : Tgpu_Op<"barriers_end", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_InteractionOpInterface>]> {
  let summary = "barriers are memory like any other again";
  let description = [{
    All threads wait for each other, since some may still be waiting at the barriers.

    ```mlir
    tgpu.barriers_end %bars : !tgpu.barriers<4>
    ```
  }];
  let arguments = (ins Tgpu_BarriersType:$barriers);
  let assemblyFormat = "$barriers attr-dict `:` type($barriers)";
}

def Tgpu_TmaCopyOp : Tgpu_Op<"tma_copy", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_GlobalAccessOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "start to copy boxes of an array into a buffer";
  let description = [{
    The slot's tensor is the part of the map's array that begins at `start`, a coordinate for each axis of the map:
    its contiguous axis is the map's first and its other one the second, along further ones it lies at `start`. The
    bytes count for the present phase of the barrier; until that is complete the slot may neither be read nor written,
    and the array not be changed. Where `condition` does not hold nothing is copied. One thread starts it for all.
    With `multicast` both blocks of a pair (`tile.pairs`) get it, each in its own slot, for the same phase of its own
    barrier.

    - (tma_copy_c1) there is a coordinate for each axis of the map, and the map has two or more;
    - (tma_copy_c2) the buffer's tensors are of the map's elements, and whole boxes of the map as these lie in memory
      (`asTmaBoxes` of `dialect/layout/UnitMemory.h`);
    - (tma_copy_c3) `multicast` is in a kernel with `tile.pairs`.

    ```mlir
    tgpu.tma_copy %map[%k, %m] if %more into %b[%slot] signals %bars[%slot]
        : !tgpu.buffer<4 of tensor<128x64xbf16>, #a>, !tgpu.barriers<4>
    ```
  }];
  let arguments = (ins Tgpu_MapType:$map, Variadic<I32>:$start, Optional<I1>:$condition, Tgpu_BufferType:$buffer,
                       I32:$slot, Tgpu_BarriersType:$barriers, I32:$phaseSlot, UnitAttr:$multicast);
  let assemblyFormat = [{
    $map `[` $start `]` (`if` $condition^)? `into` $buffer `[` $slot `]` (`multicast` $multicast^)? `signals`
    $barriers `[` $phaseSlot `]` attr-dict `:` type($buffer) `,` type($barriers)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    TensorMapOp getTensorMap();
  }];
}

def Tgpu_BarrierExpectOp : Tgpu_Op<"barrier_expect", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "say how many bytes the present phase of a barrier expects";
  let description = [{
    Once in each phase, by one thread for all. Where `condition` does not hold nothing is said.

    - (barrier_expect_c1) there are 1 to 2^20 - 1 bytes;
    - (barrier_expect_c2) a phase of the barrier has one arrival, which this is.

    ```mlir
    tgpu.barrier_expect 49152 at %bars[%slot] if %more : !tgpu.barriers<4>
    ```
  }];
  let arguments = (ins I32Attr:$bytes, Tgpu_BarriersType:$barriers, I32:$phaseSlot, Optional<I1>:$condition);
  let assemblyFormat = [{
    $bytes `at` $barriers `[` $phaseSlot `]` (`if` $condition^)? attr-dict `:` type($barriers)
  }];
  let hasVerifier = 1;
}

def Tgpu_BarrierWaitOp : Tgpu_Op<"barrier_wait", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "wait until a phase is complete";
  let description = [{
    Every thread waits for the phase whose number modulo 2 is `parity`: the present one, or the one before, which is
    complete. What was copied in it is there then, also for units that read shared memory by themselves.

    ```mlir
    tgpu.barrier_wait %bars[%slot] parity %p : !tgpu.barriers<4>
    ```
  }];
  let arguments = (ins Tgpu_BarriersType:$barriers, I32:$phaseSlot, I32:$parity);
  let assemblyFormat = "$barriers `[` $phaseSlot `]` `parity` $parity attr-dict `:` type($barriers)";
}

def Tgpu_GlobalFenceOp : Tgpu_Op<"global_fence", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "let units that read global memory by themselves see what a program has waited for";
  let description = [{
    The TMA loads that this thread starts from here on read what is in global memory now, as threads would: also what
    other programs, launches and devices have written, for which the program has waited before. In front of a loop
    of the kernel itself it stands for all of the loop's loads, also where another warp starts them.

    ```mlir
    tgpu.global_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TEGULA_DIALECT_TGPU_TMA_OPS
