//===- Passes.td - the schedule stage, in the order its passes run ----------===//

#ifndef TEGULA_COMPILER_SCHEDULE_PASSES
#define TEGULA_COMPILER_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def HoistInvariantsPass : Pass<"hoist-invariants", "::mlir::ModuleOp"> {
  let summary = "compute once what is the same in every iteration";
  let description = [{
    Upstream's loop-invariant code motion for ops without effects, in every loop whose author did not refuse it
    (`no_licm`). Conversions between layouts are such ops. A load at one address leaves too, masked by whether
    there is an iteration at all, if nothing in the loop writes memory (where the author asked for stages: nothing
    writes through the same parameter), and if what it brings feeds a dot or takes few registers; a remark names the
    others.

    Before:
    ```mlir
    scf.for %i = %a to %b step %c : i32 {
      %k = arith.mulf %x, %x : tensor<1024xf32, #l>
    ```
    After:
    ```mlir
    %k = arith.mulf %x, %x : tensor<1024xf32, #l>
    scf.for %i = %a to %b step %c : i32 {
    ```

    *Needs*: `tile` IR of any stage. *Leaves*: the same. *Stands here because* what leaves a loop is neither
    unrolled nor pipelined.
  }];
}

def UnrollLoopsPass : Pass<"unroll-loops", "::mlir::ModuleOp"> {
  let summary = "several iterations become one where the author asks for it";
  let description = [{
    A loop with `unroll = N` in its `tile.loop` does N iterations in one, and what is left over in a second
    loop after it. Where iterations are long it is N/2, N/4, ... A remark says so, or why not.

    Before:
    ```mlir
    scf.for %i = %c0 to %c64 step %c1 : i32 {
      ...
    } {tile.loop = #tile.loop<unroll = 2>}
    ```
    After:
    ```mlir
    scf.for %i = %c0 to %c64 step %c2 : i32 {
      ... ...
    } {tile.loop = #tile.loop<>}
    ```

    *Needs*: `tile` IR of any stage. *Leaves*: the same; no loop asks to be unrolled. *Stands here because*
    pipelining counts the iterations that remain.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def BufferOperandsPass : Pass<"buffer-operands", "::mlir::ModuleOp"> {
  let summary = "operands of dots go through buffers in shared memory";
  let description = [{
    A change of layout that feeds a dot, transposed or not, and takes elements to other warps becomes a buffer: a
    store where the change was and a load of the fragments. So does one within warps of what is loaded from
    memory, since such a load can become a copy. The memory's layout is chosen for who writes and who reads.
    Transpositions, which move nothing, are done after the buffer. What takes renamed registers or shuffles, as the
    probabilities of attention do, stays as it is.

    If both operands of a dot are loaded next to it, both are loaded, then both stored, then both read: in a loop that
    is not pipelined threads wait twice an iteration, and none waits for one operand before it asks for the other,
    unless that one is so wide that it had better not wait in registers.

    An operand that was changed before a loop is kept in registers if there are enough (a remark says how many
    there would have to be), else each iteration reads it from the buffer.

    Before:
    ```mlir
    %a = tile.load %p : tensor<128x64x!tile.ptr<f16>, #rows>
    %f = tile.convert_layout %a : tensor<128x64xf16, #rows> -> tensor<128x64xf16, #fragments>
    %d = tile.dot %f, ...
    ```
    After:
    ```mlir
    %b = tgpu.alloc : !tgpu.buffer<1 of tensor<128x64xf16>, #shared>
    ...
    %a = tile.load %p : tensor<128x64x!tile.ptr<f16>, #rows>
    tgpu.local_store %a into %b[%c0] : tensor<128x64xf16, #rows>, !tgpu.buffer<1 of tensor<128x64xf16>, #shared>
    %f = tgpu.local_load %b[%c0] at [0, 0] : ... -> tensor<128x64xf16, #fragments>
    %d = tile.dot %f, ...
    ```

    *Needs*: the `distributed` form, bodies of loops as they are to be, and `tile.target`. *Leaves*: the same, with
    ops of `tgpu`. *Stands here because* each copy of a body has buffers of its own, and pipelining makes slots of them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::tile::TileDialect", "::tegula::tgpu::TgpuDialect"];
}

def PlanLoopsPass : Pass<"plan-loops", "::mlir::ModuleOp"> {
  let summary = "decide which loads run ahead, who makes them, and what else overlaps";
  let description = [{
    In a loop with `stages = S`, loads whose addresses depend only on which iteration it is run ahead of it. A loop
    with a dot has the kernel's number of stages if nothing was said. Loaded elements wait in one of four ways,
    which `tgpu.fetch` of the load tells:

    - `tma`: What `buffer-operands` put into a buffer TMA copies, S - 1 iterations ahead, where the
      target has one, the load reads a box of an array that a launch can describe, and the buffer consists of such boxes
      (`TmaAccess.h`). The load becomes a `tgpu.tma_load`, with coordinates in place of pointers. What a dot reads
      first is a phase of a barrier and waited for by itself.
    - `async`: Else threads copy it there without passing through registers, likewise ahead, where at least 4 bytes at a
      time are neighbours under one mask and what the mask leaves out is zero.
    - `buffer`: Otherwise it is loaded one iteration ahead and stored when that iteration's products are done: a double
      buffer.
    - `registers`: Other loads wait in registers, S - 1 iterations ahead, or one in loops with dots.

    All copies of threads of an iteration are one group with one wait: a group for each dot would be waited for half an
    iteration later, for one more barrier in each, and with three stages or more copies have whole iterations to arrive
    in. Where shared memory has room for one slot of each buffer alone, which several dots read, there is a group for each:
    a slot is filled for the next iteration when its dot is computed, under the others.

    Where TMA copies all that the loop loads, and products of warp groups (wgmma) alone read it, a
    `producer` makes the copies. So it is where that pays or the author asks for it (`warp_specialize`). A kernel has
    one ring of slots: consecutive loops that load alike share it, and those nested in other loops keep it from
    one of their iterations to the next.

    Where programs cannot depend on each other, and a block that multiplies has its multiprocessor to itself, the kernel
    is to be persistent then (`PersistencePlan.h`). What a program loads once, for the products of all its iterations, such
    as queries, the producer loads for the next program then, while this one ends: a `tgpu.tma_load` without `tgpu.fetch`
    in front of the loops.

    Products that only a carried sum ties to the next iteration stay in flight across the back edge. In a loop with a
    producer the second of two products, whose operand threads compute from the first one's sums, starts in the next
    iteration (`OverlapPlan.h`), where there are registers for both iterations' operands.

    Where no producer needs registers, and the loops of products leave room for one block more on a multiprocessor than
    the assembler, left alone, would make of it, the assembler is told how many blocks there are to be
    (`tile.occupancy`): it spreads masks and what else is compared once over registers that it has left.

    An index that an address is computed from, a single number that the loop loads by which iteration it is, such as
    the entry of a page table, is loaded again for the load that runs ahead, at the same time.

    A load stays where it is when its address depends on what else the loop computes, or a store of the loop may
    change it: a store through the same parameter of the kernel, or through a pointer from memory. There are no
    more stages than shared memory has slots and the loop iterations, nor loads in flight than there are
    registers. Loops that order memory stay as they are. A remark says what was decided, or why not.

    Before:
    ```mlir
    %b = tgpu.alloc : !tgpu.buffer<1 of tensor<128x64xf16>, #shared>
    scf.for %i = %a to %b step %c : i32 {
      %v = tile.load %p : tensor<128x64x!tile.ptr<f16>, #l>
      tgpu.local_store %v into %b[%c0] : ...
      %f = tgpu.local_load %b[%c0] at [0, 0] : ...
      ... %f ...
    } {tile.loop = #tile.loop<stages = 2>}
    ```
    After:
    ```mlir
    %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xf16>, #shared>
    scf.for %i = %a to %b step %c : i32 {
      %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = async>} : tensor<128x64x!tile.ptr<f16>, #l>
      ...
    } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
    ```

    *Needs*: the `distributed` form with buffers, since layouts tell how many registers a load takes; `tile.target`
    where there are buffers. *Leaves*: the same, without `tile.loop`; decisions are attributes
    (`dialect/tgpu/ScheduleAttrs.td`), which the next four passes take off again. *Stands here because* loops have their
    final bodies, and what competes for shared memory and registers is decided in one place.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::tile::TileDialect", "::tegula::tgpu::TgpuDialect"];
}

def MakePersistentPass : Pass<"make-persistent", "::mlir::ModuleOp"> {
  let summary = "make kernels persistent: let blocks run several programs";
  let description = [{
    Puts all that a kernel with `tgpu.grid` does for a program, except buffers and what is the same for all programs,
    into a loop around those of a block: copies for the next are in flight while the last one's results are stored.

    Before:
    ```mlir
    func.func @f(...) attributes {tgpu.grid = #tgpu.grid<blocks = 1>} {
      %id = tile.program_id x
      ...
    ```
    After:
    ```mlir
    func.func @f(...) attributes {tile.persistent = 1 : i32} {
      %block = tgpu.block_id
      ...
      scf.for %program = %block to %programs step %blocks : i32 {
        %id = tile.program_id x of %program
        ...
    ```

    *Needs*: programs that do not depend on each other. *Leaves*: the same form, without `tgpu.grid`. *Stands here because*
    the loop that is specialised next is nested in this one then.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tegula::tgpu::TgpuDialect"];
}

def OrderProgramsPass : Pass<"order-programs", "::mlir::ModuleOp"> {
  let summary = "let programs follow each other by groups of rows of tiles";
  let description = [{
    Where some TMA loads of a program depend on its row of tiles alone and others on its column alone, programs that run at
    one time need least where their tiles form a square. Programs that are numbered row by row, by two axes of the grid or by
    quotient and remainder of one, follow each other in groups of eight rows, column by column: each computes the tile of
    another one. A kernel that takes the remainder apart again has an order of its own, which stays, and so does the order
    where programs may depend on each other. A remark says what was done.

    Before:
    ```mlir
    %column = tile.program_id x
    %row = tile.program_id y
    ```
    After:
    ```mlir
    %x = tile.program_id x
    %y = tile.program_id y
    %columns = tile.num_programs x
    %group = arith.divui %y, %c8 : i32
    ...
    %row = arith.addi %first, %in_column : i32
    %column = arith.divui %in_group, %height : i32
    ```

    *Needs*: TMA loads that are not parted yet. *Leaves*: the same form, with `tile.ordered` on the kernel. *Stands here because* `make-persistent` has given
    ids their numbers, and all that follows sees the order.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::tile::TileDialect"];
}

def PrivatizeAtomicsPass : Pass<"privatize-atomics", "::mlir::ModuleOp"> {
  let summary = "atomic ops change a table in shared memory before their array";
  let description = [{
    An atomic op on 32-bit integers whose old values are unused, at a pointer that all programs have in common plus an
    offset for each element, changes a table in shared memory where the offset lies in it (privatization), and global memory
    elsewhere. The kernel becomes persistent: a block begins its table once, with the operation's neutral element, runs its
    programs, and changes the array by what is another element then. A histogram of 64 bins has 64 changes of global memory a
    block instead of one for each value.

    So the op happens later than the program says. That is observed by nothing: no access of the program follows
    it but ops of the same kind, whose order is all one, and there is none by which programs wait for each other
    (`PrivatizationPlan.h`). Its order and scope are those of the changes at the end, which come after a barrier: what
    threads did before it they did before these. A remark says what was done, or why not.

    Before:
    ```mlir
    %id = tile.program_id x
    ...
    %p = tile.addptr %counts, %x : tensor<1024x!tile.ptr<i32>, #l>, tensor<1024xi32, #l>
    %old = tile.atomic_rmw add, relaxed, gpu, %p, %one, %m : tensor<1024x!tile.ptr<i32>, #l>
    ```
    After:
    ```mlir
    %b = tgpu.alloc : !tgpu.buffer<1 of tensor<2048xi32>, #table>
    tgpu.local_store %zeros into %b[%c0] : ...
    scf.for %program = %block to %programs step %blocks : i32 {
      %id = tile.program_id x of %program
      ...
      tgpu.local_atomic add, %one at %x mask %near in %b : ...
      %old = tile.atomic_rmw add, relaxed, gpu, %p, %one, %far : ...
    }
    %sums = tgpu.local_load %b[%c0] at [0] : ...
    %any = arith.cmpi ne, %sums, %zeros : ...
    %all = tile.atomic_rmw add, relaxed, gpu, %q, %sums, %any : ...
    ```

    *Needs*: the `distributed` form. *Leaves*: the same, with `tgpu`. *Stands here because* it makes kernels persistent that
    `make-persistent` did not, and passes that follow see the loop.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tegula::tile::TileDialect",
                           "::tegula::tgpu::TgpuDialect"];
}

def SpecializeWarpsPass : Pass<"specialize-warps", "::mlir::ModuleOp"> {
  let summary = "let producer warps make the loads of a loop";
  let description = [{
    A loop whose `tgpu.pipeline` is by `producer` is parted in two (`WarpSpecializer.h`): warps more than the kernel has,
    as `tgpu.roles` of it tells, make the copies S iterations ahead, and the others wait for them and say what they have
    read. Neither has a prologue. A `tgpu.global_fence` before the loop, where the program has waited for others, becomes
    the producer's: it waits until the others have come there. A `tgpu.tma_load` in the one loop around such loops, without
    `tgpu.fetch`, is the producer's as well: it has one slot, which is free for the next time when those loops have
    ended.

    Before:
    ```mlir
    scf.for %k = %c0 to %n step %c64 : i32 {
      tgpu.tma_load %map[%k, %m] into %b[%c0] {tgpu.fetch = #tgpu.fetch<by = tma>} : ...
      ... tgpu.mma %a, %b[%c0] ...
    } {tgpu.pipeline = #tgpu.pipeline<stages = 4, by = producer>}
    ```
    After:
    ```mlir
    tgpu.producer warps 1 {
      scf.for %k = %c0 to %n step %c64 iter_args(%s = %c0, %p = %c1) -> (i32, i32) : i32 {
        tgpu.barrier_wait %empty[%s] parity %p : ...
        tgpu.barrier_expect 16384 at %full[%s] : ...
        tgpu.tma_copy %map[%k, %m] into %b[%s] signals %full[%s] : ...
        ...
    }
    scf.for %k = %c0 to %n step %c64 iter_args(%s = %c0, %p = %c0) -> (i32, i32) : i32 {
      tgpu.barrier_wait %full[%s] parity %p : ...
      ... tgpu.mma %a, %b[%s] ...
      tgpu.barrier_arrive %empty[%s] : ...
      ...
    ```

    *Needs*: loops as `plan-loops` leaves them, each load a `tgpu.tma_load`, its readers products. *Leaves*: the same
    form, without `tgpu.roles`. *Stands here because* it is known which loops are around them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::tile::TileDialect", "::tegula::tgpu::TgpuDialect"];
}

def PipelineLoopsPass : Pass<"pipeline-loops", "::mlir::ModuleOp"> {
  let summary = "the next iterations' loads are in flight while this one computes";
  let description = [{
    Software pipelining of loops whose `tgpu.pipeline` is by `all` warps: loads with a `tgpu.fetch` run ahead. The buffer
    of copies has S slots. Each iteration waits for its own copies first, and one barrier follows. Copies beyond the last
    iteration do not happen, and loads there are masked out.

    So every number of iterations is right, none included, and there is a prologue but no epilogue: what is ahead
    of the last iteration is predicated. Addresses are computed twice rather than kept.

    Before:
    ```mlir
    %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xf16>, #shared>
    scf.for %i = %a to %b step %c : i32 {
      %v = tile.load %p {tgpu.fetch = #tgpu.fetch<by = async>} : tensor<128x64x!tile.ptr<f16>, #l>
      tgpu.local_store %v into %b[%c0] : ...
      %f = tgpu.local_load %b[%c0] at [0, 0] : ...
      ... %f ...
    } {tgpu.pipeline = #tgpu.pipeline<stages = 2>}
    ```
    After:
    ```mlir
    %b = tgpu.alloc : !tgpu.buffer<2 of tensor<128x64xf16>, #shared>
    tgpu.async_copy %p0, if %any into %b[%c0] : ...
    tgpu.async_commit
    scf.for %i = %a to %b step %c iter_args(%ahead = %c1, %now = %c0) -> (i32, i32) : i32 {
      tgpu.async_wait pending 0
      tgpu.async_copy %p1, if %more into %b[%ahead] : ...
      tgpu.async_commit
      %f = tgpu.local_load %b[%now] at [0, 0] : ...
      ... %f ...
      scf.yield %afterAhead, %afterNow : i32, i32
    }
    tgpu.async_wait pending 0
    ```

    *Needs*: loops as `plan-loops` leaves them. *Leaves*: the same form, without `tgpu.pipeline`, `tgpu.fetch` and
    `tgpu.tma_load`. *Stands here because* loops have their final bodies, and those of a producer are its own.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::tile::TileDialect", "::tegula::tgpu::TgpuDialect"];
}

def OverlapProductsPass : Pass<"overlap-products", "::mlir::ModuleOp"> {
  let summary = "a product is computed under the next iteration's arithmetic";
  let description = [{
    A product with `tgpu.overlap = #tgpu.overlap<next_iteration>`, the second of two whose operand threads compute from
    the first one's sums, starts in the next iteration, after that one's first product. The unit multiplies while
    threads compute: attention of 128 queries and keys on 8 warps has 671 TFLOPS where it had 558 (H200, heads of 128).

    Before:
    ```mlir
    scf.for ... {
      tgpu.barrier_wait %k[%s] ...    %q = tgpu.mma ..., tgpu.mma_wait pending 0 %q    tgpu.barrier_arrive %readK[%s]
      ... arithmetic ...
      tgpu.barrier_wait %v[%s] ...    %o = tgpu.mma ..., tgpu.mma_wait pending 0 %o    tgpu.barrier_arrive %readV[%s]
    }
    ```
    After:
    ```mlir
    scf.if %any {
      first product and arithmetic of iteration 0
      scf.for ... {
        %q = tgpu.mma ... of this iteration
        %o = tgpu.mma ... of the one before
        tgpu.mma_wait pending 1 %q
        ... arithmetic ...
        tgpu.mma_wait pending 0 %o
      }
      %o = tgpu.mma ... of the last one
    }
    ```

    *Needs*: a loop as `specialize-warps` leaves it. *Leaves*: the same form, without `tgpu.overlap`. *Stands here
    because* the slots that the product reads are given back by hand then.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tegula::tgpu::TgpuDialect"];
}

def DeferWaitsPass : Pass<"defer-waits", "::mlir::ModuleOp"> {
  let summary = "products of an iteration are in flight together";
  let description = [{
    In the body of a loop with several products, one that needs no other's sums starts directly after the first, and each
    is waited for where its sums are first needed: the unit multiplies while threads compute. Attention's backward pass
    has four products in an iteration, of which two need no other.

    Before:
    ```mlir
    %s = tgpu.mma %q, ...               tgpu.mma_wait pending 0 %s    ... %p of its sums ...
    %v = tgpu.mma %p, ...               tgpu.mma_wait pending 0 %v
    %d = tgpu.mma %do, ...              tgpu.mma_wait pending 0 %d    ... of its sums ...
    ```
    After:
    ```mlir
    %s = tgpu.mma %q, ...
    %d = tgpu.mma %do, ...              tgpu.mma_wait pending 1 %s    ... %p of its sums ...
    %v = tgpu.mma %p, ...               tgpu.mma_wait pending 1 %d    ... of its sums ...
    tgpu.mma_wait pending 0 %v holding %p
    ```

    *Needs*: loops in their final form. *Leaves*: the same form. *Stands here because* products that are to stay in flight
    until the next iteration do so by now.
  }];
  let dependentDialects = ["::tegula::tgpu::TgpuDialect"];
}

def SplitDotsPass : Pass<"split-dots", "::mlir::ModuleOp"> {
  let summary = "dots are done in steps along K, and the next step's operands are read before each";
  let description = [{
    A dot of which an operand is read from a buffer becomes as many dots as K has steps of its unit's instruction,
    or of four elements where threads multiply by themselves. Each has its own part of the operands; that of
    the next step is read before a step's products, so that both go on at once, and two parts at most are in
    registers. An operand that is in registers anyway is cut by `tgpu.slice`.

    Where threads multiply by themselves, and both operands come from buffers, a dot of more than `max-multiplications`
    of a thread becomes a loop over K with so many in its body: ptxas takes 0.75 s for 8192 in a row, and 0.14 s for
    the loop. With half as many in the body it saves little more, and twice as often a round begins with reads that
    nothing is asynchronous.

    Before:
    ```mlir
    %a = tgpu.local_load %as[%i] at [0, 0] : ... -> tensor<128x32xf16, #fragments>
    %b = tgpu.local_load %bs[%i] at [0, 0] : ... -> tensor<32x128xf16, #columns>
    %d = tile.dot %a, %b, %c : ...
    ```
    After:
    ```mlir
    %a0 = tgpu.local_load %as[%i] at [0, 0] : ... -> tensor<128x16xf16, #fragment>
    %b0 = tgpu.local_load %bs[%i] at [0, 0] : ... -> tensor<16x128xf16, #column>
    %a1 = tgpu.local_load %as[%i] at [0, 16] : ...
    %b1 = tgpu.local_load %bs[%i] at [16, 0] : ...
    %d0 = tile.dot %a0, %b0, %c : ...
    %d = tile.dot %a1, %b1, %d0 : ...
    ```

    Where threads multiply 8192 times each, in rounds of 8 elements:
    ```mlir
    %d = scf.for %k = %c0 to %c8 step %c1 iter_args(%sum = %c) -> (...) : i32 {
      %a0 = tgpu.local_load %as[%i] at [0, 0] + %k * 8 along 1 : ... -> tensor<128x4xf32, #rows>
      %b0 = tgpu.local_load %bs[%i] at [0, 0] + %k * 8 along 0 : ... -> tensor<4x128xf32, #columns>
      %a1 = tgpu.local_load %as[%i] at [0, 4] + %k * 8 along 1 : ...
      %b1 = tgpu.local_load %bs[%i] at [4, 0] + %k * 8 along 0 : ...
      %d0 = tile.dot %a0, %b0, %sum : ...
      %d1 = tile.dot %a1, %b1, %d0 : ...
      scf.yield %d1 : ...
    }
    ```

    *Needs*: the `distributed` form with `tgpu`. *Leaves*: the same. *Stands here because* pipelining moves
    whole reads.
  }];
  let options = [Option<"maxMultiplications", "max-multiplications", "uint32_t", /*default=*/"1024",
                        "multiplications of a thread in the code of a dot; a power of two">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tegula::tile::TileDialect",
                           "::tegula::tgpu::TgpuDialect"];
}

def StoreByTmaPass : Pass<"store-by-tma", "::mlir::ModuleOp"> {
  let summary = "results of products go to memory by TMA";
  let description = [{
    What a product leaves in registers would change threads by way of shared memory, for these to store rows. Where the
    target has TMA, and the store writes a box of an array that a launch can describe, of which no other op
    knows when it is written (`StorePlan.h`), parts of it lie in slots of a buffer as TMA takes them, and one
    thread has each stored. A slot is written again when TMA has read it; in a loop what the last round
    stored is in memory before the next is. Groups of warps that hold rows of their own do not wait for each other. Before
    the kernel ends all is read.

    A remark says so; or, where the kernel loads by TMA, why a store is left to threads.

    Before:
    ```mlir
    %v = tile.convert_layout %sums : tensor<128x256xbf16, #sums> -> tensor<128x256xbf16, #rows>
    tile.store %p, %v, %inside : tensor<128x256x!tile.ptr<bf16>, #rows>
    ```
    After:
    ```mlir
    %a = tgpu.slice %sums at [0, 0] : tensor<128x256xbf16, #sums> -> tensor<128x64xbf16, #part>
    tgpu.tma_store %a by %b[%c0] to %map[%n, %m] parts 2 : tensor<128x64xbf16, #part>, !tgpu.buffer<2 of ...>
    ...
    tgpu.tma_store_wait pending 1 read refill parts 2
    %c = tgpu.slice %sums at [0, 128] : ...
    tgpu.tma_store %c by %b[%c0] to %map[%n128, %m] parts 2 : ...
    ...
    tgpu.tma_store_wait pending 0 read
    ```

    *Needs*: the `distributed` form with `tgpu`. *Leaves*: the same; unused pointers and masks go with CSE.
    *Stands here because* it is known which buffers loops need, and which loops there are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::tile::TileDialect", "::tegula::tgpu::TgpuDialect"];
}

def MulticastLoadsPass : Pass<"multicast-loads", "::mlir::ModuleOp"> {
  let summary = "load once what two neighbouring blocks both need";
  let description = [{
    Tiles that are next to each other have an operand in common. In a persistent kernel with a producer, where all loops
    of a program run as often as those of any other, neighbouring blocks may be clusters of two, as the launch decides.
    The producer compares the coordinates of each load with those of the other block's program: where they are the same
    one block copies for both, by turns (TMA multicast), and half as much comes from L2. A slot is free when the readers
    of both blocks have said so. Where the launch makes no clusters, and for programs that have nothing in common, each
    block loads for itself.

    A remark says so, or why all blocks load for themselves.

    Before:
    ```mlir
    tgpu.producer warps 1 {
      scf.for %program = %block to %programs step %blocks : i32 {
        ...
        tgpu.barrier_wait %empty[%s] parity %p : !tgpu.barriers<4, arrivals 2>
        tgpu.barrier_expect 49152 at %full[%s] : !tgpu.barriers<4>
        tgpu.tma_copy %map[%n, %k] into %b[%s] signals %full[%s] : ...
    ```
    After:
    ```mlir
    tgpu.cluster_barrier
    tgpu.producer warps 1 {
      %rank = tgpu.cluster_rank
      scf.for %program = %block to %programs step %blocks : i32 {
        %other = arith.xori %program, %c1 : i32
        ...
        %same = arith.cmpi eq, %n, %n_of_other : i32
        ...
        tgpu.barrier_wait %empty[%s] parity %p : !tgpu.barriers<4, arrivals 2 from 2 blocks>
        tgpu.barrier_expect 49152 at %full[%s] : !tgpu.barriers<4>
        tgpu.tma_copy %map[%n, %k] if %alone into %b[%s] signals %full[%s] : ...
        tgpu.tma_copy %map[%n, %k] if %for_both into %b[%s] multicast signals %full[%s] : ...
    ```

    *Needs*: the `scheduled` form. *Leaves*: the same, with `tile.pairs` on the kernel. *Stands here because* all waits
    and arrivals are where they remain.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::tgpu::TgpuDialect"];
}

def PlanOccupancyPass : Pass<"plan-occupancy", "::mlir::ModuleOp"> {
  let summary = "say how many blocks of a reduction, or of a loop of loads, share a multiprocessor";
  let description = [{
    A reduction of a row waits for all warps. What a thread holds meanwhile decides how many blocks share a
    multiprocessor, and with them whether loads of one row overlap with the arithmetic of another. From the
    values whose live ranges cross each reduction this pass counts how many blocks can (the occupancy), up to what
    keeps a multiprocessor busy, and says so in `tile.occupancy`: left alone, the assembler takes a few registers too many.

    Where what lives comes by a few elementwise ops from values of half the size (a row of 16-bit floats, say)
    and more blocks then fit, the narrow values are kept and the others rematerialised after the reduction, after a
    `tile.opt_barrier`, since every later optimiser would merge them again.

    Before:
    ```mlir
    %x = arith.extf %row : tensor<32768xbf16, #l> to tensor<32768xf32, #l>
    %m = tile.reduce %x axis 0 : tensor<32768xf32, #l> -> f32 {...}
    ... %x ...
    ```
    After:
    ```mlir
    %x = arith.extf %row : tensor<32768xbf16, #l> to tensor<32768xf32, #l>
    %m = tile.reduce %x axis 0 : tensor<32768xf32, #l> -> f32 {...}
    %again = tile.opt_barrier %row after %m : tensor<32768xbf16, #l>, f32
    %y = arith.extf %again : tensor<32768xbf16, #l> to tensor<32768xf32, #l>
    ... %y ...
    ```

    A loop that loads several vectors in each iteration asks for blocks too, as many as keep a multiprocessor busy or
    half of that, where what is loaded, carried and reduced in it leaves registers. The assembler, which aims at the most
    blocks, would load one vector after the other, each when the one before it is used up.

    *Needs*: the `distributed` form, since layouts tell how many registers a value takes. *Leaves*: the same form,
    and `tile.occupancy` on the kernel. *Stands here because* nothing after it merges equal ops of tile IR.
  }];
  let dependentDialects = ["::tegula::tile::TileDialect"];
}

#endif // TEGULA_COMPILER_SCHEDULE_PASSES
