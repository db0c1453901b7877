//===- ProducerOps.td - producer warps, which load for consumer warps ----------===//

#ifndef TEGULA_DIALECT_TGPU_PRODUCER_OPS
#define TEGULA_DIALECT_TGPU_PRODUCER_OPS

include "dialect/tgpu/TmaOps.td"

def Tgpu_ProducerOp
    : Tgpu_Op<"producer", [SingleBlock, NoTerminator, NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "warps of their own that load what the others compute with";
  let description = [{
    There are `warps` warps more than the kernel has. One thread of the first of them executes the body and then ends; the
    kernel's own warps continue after the op at once. All of them execute what precedes the op. The two sides know of each
    other by barriers alone: a slot is filled when the phase is complete in which its readers say that they are done with it, and read when that
    is complete in which it is filled.

    With `registers` the two numbers are what a thread of these warps and one of the others may have of them: the kernel
    starts with as many for each, and the producer's warps hand some over (`setmaxnreg`).

    Made by `specialize-warps`. Not a branch: see `scf.if`.

    - (producer_c1) is outside of loops and branches, and once in a kernel;
    - (producer_c2) there are 1 to 4 warps, and 4 where registers are handed over;
    - (producer_c3) `registers` are two multiples of 8 from 24 to 256, the first below the second;
    - (producer_c4) in the body are scalars, loops, branches, TMA copies, waits for phases and fences;
    - (producer_c5) before it nothing accesses memory but by `tgpu.barriers_init`, and there are no tensors but
      constants.

    ```mlir
    tgpu.producer warps 1 {
      scf.for %k = %c0 to %n step %c64 : i32 {
        tgpu.barrier_wait %empty[%c0] parity %p : !tgpu.barriers<1, arrivals 2>
        tgpu.barrier_expect 8192 at %full[%c0] : !tgpu.barriers<1>
        tgpu.tma_copy %map[%k, %row] into %b[%c0] signals %full[%c0] : ...
      }
    }
    ```
  }];
  let arguments = (ins I32Attr:$warps, OptionalAttr<DenseI32ArrayAttr>:$registers);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`warps` $warps (`registers` $registers^)? $body attr-dict";
  let hasVerifier = 1;
}

def Tgpu_BarrierArriveOp : Tgpu_Op<"barrier_arrive", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Tile_AsyncOpInterface>]> {
  let summary = "say that a slot has been read";
  let description = [{
    All that the present phase of the barrier waits for: each of as many equal parts of the warps as it has arrivals
    says that it is done with what it read before. A part is one or more groups of four warps where products read, which
    are done for all of a group at once, or a warp. Where `condition` does not hold nothing is said. Not for those of `tgpu.producer`, who read nothing.

    ```mlir
    tgpu.barrier_arrive %empty[%slot] if %any : !tgpu.barriers<4, arrivals 2>
    ```
  }];
  let arguments = (ins Tgpu_BarriersType:$barriers, I32:$phaseSlot, Optional<I1>:$condition);
  let assemblyFormat = "$barriers `[` $phaseSlot `]` (`if` $condition^)? attr-dict `:` type($barriers)";
}

#endif // TEGULA_DIALECT_TGPU_PRODUCER_OPS
