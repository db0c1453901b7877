//===- Passes.td - the distribute stage, in the order its passes run --------===//

#ifndef TEGULA_COMPILER_DISTRIBUTE_PASSES
#define TEGULA_COMPILER_DISTRIBUTE_PASSES

include "mlir/Pass/PassBase.td"

def SpreadTensorsPass : Pass<"spread-tensors", "::mlir::ModuleOp"> {
  let summary = "the blocks of a cluster share a program's long rows";
  let description = [{
    A row of 65536 elements that is reduced is more than the registers of a block can hold well: threads keep a part of it
    in local memory, and no second block has room to load while this one computes. Here 2, 4 or 8 blocks of a cluster run
    each program: every axis of so many elements is parted among them. `tgpu.cluster_gather` brings together what each
    block's part is reduced to, through distributed shared memory, and it is reduced again in the order of ranks. There is
    no workspace, and the same number of blocks gives the same bits.

    Rows are axes as long as the longest that is reduced. They are parted where they have more than 32768 elements, or
    where `tile.num_ctas` asks for it, by `KernelSpec::numCtas`; and where all that is done with them is done by element
    or reduces them to scalars. What is not of rows each block computes by itself, and the block of rank 0 stores it.
    Blocks that would access the same bytes out of order wait for each other by `tgpu.cluster_barrier`. Kernels stay as
    they are that use atomic ops, print or see others in another way, that scan, sort, multiply or reshape rows,
    or where `tile.without` lists "spread". A remark says what was done.

    A spread kernel has `tile.cluster`, which goes into the manifest: launches start so many blocks for each program.

    Before:
    ```mlir
    func.func @norm(...) attributes {...} {
      %i = tile.arange 0 to 65536 : tensor<65536xi32>
      ...
      %sum = tile.reduce %x axis 0 : tensor<65536xf32> -> f32 { ... }
    ```
    After:
    ```mlir
    func.func @norm(...) attributes {tile.cluster = 4 : i32, ...} {
      %rank = tgpu.cluster_rank
      tgpu.cluster_arrive
      %part = tile.arange 0 to 16384 : tensor<16384xi32>
      %first = arith.muli %rank, %c16384 overflow<nsw> : i32
      %shift = tile.splat %first : i32 -> tensor<16384xi32>
      %i = arith.addi %part, %shift overflow<nsw> : tensor<16384xi32>
      ...
      %partial = tile.reduce %x axis 0 : tensor<16384xf32> -> f32 { ... }
      tgpu.cluster_wait
      %partials = tgpu.cluster_gather %partial : (f32) -> tensor<4xf32>
      %sum = tile.reduce %partials axis 0 : tensor<4xf32> -> f32 { ... }
    ```

    *Needs*: the `tile` form, without layouts. *Leaves*: the same form. *Stands here because* how many warps a program needs,
    or a part of one, is not settled.
  }];
  let dependentDialects = ["::tegula::tgpu::TgpuDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def PackProgramsPass : Pass<"pack-programs", "::mlir::ModuleOp"> {
  let summary = "programs with little work run on one warp each, several to a block";
  let description = [{
    A row of 512 elements keeps one warp busy. On four it needs shared memory and a barrier for each
    reduction, and blocks of one warp alone do not fill a multiprocessor. Such kernels get one warp for each
    program and `programs` neighbouring programs along the grid's first axis in one block; no two of them
    ever wait for each other. Somewhat longer rows get two warps, and a block each.

    A kernel is packed when one of its reductions would cross warps, or its largest tensor leaves threads
    without work, and that tensor is small enough for the registers of one or two warps. Not packed are kernels that
    look at the number of programs (their author chose how many fill the device), that load in a loop (their
    programs are long), that may wait (`scf.while`, ordered atomics, barriers), or that do not tell
    programs apart along the first axis. A remark says what was done, or why not. Nothing is packed in a module whose
    `tile.without` lists "packing": a caller that launches the code may expect the warps that were asked for, and a block
    for each program.

    Before:
    ```mlir
    func.func @softmax(...) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>}
    ```
    After:
    ```mlir
    func.func @softmax(...) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 3, programs = 4>}
    ```

    *Needs*: the `tile` form, without layouts. *Leaves*: the same form. *Stands here because* every layout
    chosen afterwards depends on the number of warps.
  }];
}

def WidenProgramsPass : Pass<"widen-programs", "::mlir::ModuleOp"> {
  let summary = "programs whose tensors no thread could hold run on more warps";
  let description = [{
    A tile of 1024 by 1024 elements on four warps is 8,192 elements a thread, which has 255 registers. Such a program
    compiles to a hundred thousand instructions, most of which move values from and to local memory, and a
    multiprocessor hides little of their waiting with so few warps. So a kernel one of whose tensors leaves a thread 512
    elements or more gets as many warps as leave it 128, or all 32 that a block can have. The author's number is a
    hint of speed, and results differ as far as the order of a reduction does.

    Kernels that multiply matrices are tuned to their warps. They get more only where the sums that a loop carries take
    more than 168 registers of a thread, so that products have none left, and twice as many warps have enough: dk and dv
    of attention with heads of 128 take 256 on four warps, and 128 on eight. Where products are of single warps (`mma.sync`),
    whose operands and their addresses lie in registers too, this counts what there is besides the sums as well: attention
    of 128 by 64 with heads of 128 has 128 registers of sums and 64 of scores on four warps, and spilled on each
    architecture but sm_90a.

    Kernels stay as they are that ask for things of the device itself, or in which large tensors are transposed, scanned
    or otherwise move between threads, for which shared memory might not do; and so do all in a module whose
    `tile.without` lists "packing". A remark says what was done.

    Before:
    ```mlir
    func.func @scale(...) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>}
    ```
    After:
    ```mlir
    func.func @scale(...) attributes {tile.kernel = #tile.kernel<warps = 32, stages = 3>}
    ```

    *Needs*: the `tile` form, without layouts. *Leaves*: the same form. *Stands here because* every layout
    chosen afterwards depends on the number of warps.
  }];
}

def SplitLoopsPass : Pass<"split-loops", "::mlir::ModuleOp"> {
  let summary = "the blocks of a cluster share out a loop that adds up products";
  let description = [{
    A product with few tiles and a long K leaves most multiprocessors idle. Here a cluster of blocks runs each program: all
    blocks do what precedes the loop, each its part of the iterations, in order; `tgpu.cluster_sum` adds up their sums through
    distributed shared memory, by rank; the block of rank 0 does the rest. There is no workspace, and no atomic
    addition: the same number of blocks gives the same bits.

    The loop is the first with a `tile.dot` outside of other loops and branches. Its iterations are counted by an argument or
    a constant, so that a launch knows how many there are. It carries sums of dots that begin as zero, and pointers and
    numbers that go on by the same step each time. Nothing up to its end may write to global memory or talk to the host: all
    blocks would do it.

    A kernel with such a loop gets `tile.splits`, which goes into the manifest. Only where it has `tile.split_k`, by
    `KernelSpec::splitK`, is the loop shared out; the launch that asks for that also says by how many blocks.

    Before:
    ```mlir
    func.func @product(..., %k: i32) attributes {tile.split_k, ...} {
      %sums = scf.for %i = %c0 to %trips step %c1 iter_args(%sum = %zero, %pointers = %first) { ... }
      tile.store %at, %sums
    ```
    After:
    ```mlir
    func.func @product(..., %k: i32) attributes {tile.splits = {blocks = 8 : i32, size = 3 : i32, step = 64 : i32}} {
      %rank = tgpu.cluster_rank
      ...
      %sums = scf.for %i = %begin to %end step %c1 iter_args(%sum = %zero, %pointers = %advanced) { ... }
      %all = tgpu.cluster_sum %sums
      scf.if %is_first {
        tile.store %at, %all
      }
    ```

    *Needs*: the `tile` form, without layouts. *Leaves*: the same form. *Stands here because* how many programs share a block is
    settled, and no access has been described yet: each block has begins of its own.
  }];
  let dependentDialects = ["::tegula::tgpu::TgpuDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FindFinerFactsPass : Pass<"find-finer-facts", "::mlir::ModuleOp"> {
  let summary = "say which arguments would widen accesses if more were known of them";
  let description = [{
    A launch tells of an argument whether it is a multiple of 16, and no more: each fact is a variant to compile. Rows
    of 3000 halves are 16-byte aligned all the same. So this asks, for each argument of which nothing is known, whether
    a multiple of 2, 4 or 8 would let an instruction access more elements, given that all the others are multiples of
    16, and writes down the least power of two that does as much as 8 as `tile.finer` of the argument. It gets
    into the manifest, and a launch whose arguments are such multiples asks for the code that knows. Where addresses are as
    good as they can be and sizes alone are in the way, by which masks fall, nothing is asked: sizes differ from launch to
    launch.

    Nothing else changes: `tile.param` has no other facts than the caller's.

    Before:
    ```mlir
    func.func @copy(%x: !tile.ptr<f16> {tile.param = #tile.param<"x", "*fp16", 16>},
                    %row: i32 {tile.param = #tile.param<"row", "i32", 1>})
    ```
    After, where neighbours in a row of `row` halves are accessed:
    ```mlir
                    %row: i32 {tile.finer = 8 : i32, tile.param = #tile.param<"row", "i32", 1>})
    ```

    *Needs*: the `tile` form, without layouts. *Leaves*: the same form. *Stands here because* all facts about integers are
    there, and no layout yet.
  }];
  let dependentDialects = ["::tegula::tile::TileDialect"];
}

def FormBoxesPass : Pass<"form-boxes", "::mlir::ModuleOp"> {
  let summary = "loads and stores of a box of an array say which box that is";
  let description = [{
    Matrices that programs multiply mostly come from a box of a larger array, which TMA can copy by itself. Pointers say
    so element by element; this finds the array's base, its strides, its sizes by the mask and where the box begins, and
    writes them on the access as a `tile.box`, besides its pointers. From then on no pass asks again: `coalesce` lets
    TMA have rows that threads could not load well, and `plan-loops` decides which of these accesses are made by TMA.
    Loads stand in a loop, or in front of all. What such an access rests on is proven, or trusted as
    `compiler/analysis/README.md` says. Scalars that a box needs and that are the same in every iteration of the loop leave it.

    An access of a matrix that is no box says why as `tile.no_box`. Kernels without products are left alone, and those
    whose target has no TMA, or which are told to do without.

    Before:
    ```mlir
    %x = tile.load %pointers, %mask, %zero : tensor<128x64x!tile.ptr<bf16>>
    ```
    After:
    ```mlir
    %b = tile.box %a, sizes [%m, %k], strides [%row, 1], starts affine_map<(d0)[s0] -> (s0 * 128, d0 * 64)>(%i, %c0, %c1)[%pid]
         multiples [128, 64] : (...) -> !tile.box
    %x = tile.load %pointers, %mask, %zero in %b : tensor<128x64x!tile.ptr<bf16>>
    ```

    *Needs*: the `tile` form, or a later one. *Leaves*: the same form. *Stands here because* layouts depend on who
    loads.
  }];
  let dependentDialects = ["::tegula::tile::TileDialect"];
}

def AssignLayoutsPass : Pass<"assign-layouts", "::mlir::ModuleOp"> {
  let summary = "give every tensor of a kernel a layout to begin with";
  let description = [{
    Every ranked tensor without a layout gets the default one of its shape: one element a thread, row by
    row, repeated until the tensor is covered. Ops that tie the layouts of their operand and result
    (`tile.expand_dims`, `tile.broadcast`, `tile.reshape`, `tile.trans`) get a `tile.convert_layout` before
    them, a `tile.reduce` after it too. A layout that is in the IR already is kept.

    Before:
    ```mlir
    %i = tile.arange 0 to 256 : tensor<256xi32>
    ```
    After, with four warps:
    ```mlir
    #layout = #tile.layout<{register = [[128]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]} : [256]>
    %i = tile.arange 0 to 256 : tensor<256xi32, #layout>
    ```

    *Needs*: the `tile` form; the number of warps in `tile.kernel`. *Leaves*: the `distributed` form, correct
    and slow. *Stands here because* all that follow only change layouts that exist.
  }];
  let dependentDialects = ["::tegula::tile::TileDialect"];
}

def ChooseMatrixUnitsPass : Pass<"choose-matrix-units", "::mlir::ModuleOp"> {
  let summary = "each dot gets an instruction and the layouts that go with it";
  let description = [{
    For each `tile.dot` the instruction is looked up in the table of `compiler/target/MatrixUnits.h`, the warps
    are shared out over the result, and operands and result get the layouts of the instruction's fragments,
    with conversions put around the dot. Where no unit takes the elements (f32 with `ieee`) threads multiply by
    themselves: the result is blocked, and a thread holds all of K for its rows and columns. Products of f8
    without a unit for them become products of f16. What was chosen is written on the dot as its `unit`, and all
    later passes read it there.

    The units of warp groups add up products of f8 in few bits. How many they may add up is written as
    `max_imprecise`; and as `parts` how many columns are computed at a time, where a thread has no registers for
    the sums of all columns besides the accumulator's.

    Warps lie over the result so that each reads little of the operands: in boxes that are nearly square. Where
    the result becomes operand `a` of another dot (attention, perceptrons), each warp has whole rows instead,
    and the one becomes the other within each thread.

    A `passed` remark names the instruction, a `missed` one says why there is none; both the grid of warps and
    the bytes of shared memory that are read for each multiplication.

    Before:
    ```mlir
    %d = tile.dot %a, %b, %c : tensor<64x32xf16, #one_each>, tensor<32x64xf16, #one_each> -> tensor<64x64xf32, #one_each>
    ```
    After:
    ```mlir
    %a1 = tile.convert_layout %a : tensor<64x32xf16, #one_each> -> tensor<64x32xf16, #fragments_of_a>
    %b1 = tile.convert_layout %b : tensor<32x64xf16, #one_each> -> tensor<32x64xf16, #fragments_of_b>
    %c1 = tile.convert_layout %c : tensor<64x64xf32, #one_each> -> tensor<64x64xf32, #fragments_of_c>
    %d1 = tile.dot %a1, %b1, %c1 unit <mma_sync, m16n8k16> : tensor<64x32xf16, #fragments_of_a>, tensor<32x64xf16, #fragments_of_b> -> tensor<64x64xf32, #fragments_of_c>
    %d = tile.convert_layout %d1 : tensor<64x64xf32, #fragments_of_c> -> tensor<64x64xf32, #one_each>
    ```

    *Needs*: the `distributed` form. *Leaves*: the same, with dots as anchors for the layouts of the rest.
    *Stands here because* units and memory each want their own layouts: both have their say, in either order,
    before the rest follows.
  }];
  let dependentDialects = ["::tegula::tile::TileDialect", "::mlir::arith::ArithDialect"];
}

def CoalescePass : Pass<"coalesce", "::mlir::ModuleOp"> {
  let summary = "each thread accesses up to 16 neighbouring bytes, each warp neighbouring threads";
  let description = [{
    Every `tile.load`, `tile.store` and atomic op of a tensor gets a blocked layout whose fastest axis is the
    one along which the pointers are contiguous, with as many elements in a row for each thread as one
    instruction may access (see `MemoryAccess`), but no more than there are for every thread to have work.
    Accesses of one shape and order share one layout: that of the widest, but with no more elements a thread than one
    instruction stores, since stores with gaps fill sectors by half. Where tensors of the shape are reduced,
    warps go along the other axes first; where they are scanned along the second axis of the order, what a thread has there
    are neighbours, so that it tells other threads one total and not one for each. So are elements that a load finds at one
    address (`packed + k // 8 * stride`), which a thread then loads once, where a warp takes a whole row. Conversions are put
    around each.

    Accesses whose elements lie apart, at computed addresses, touch the fewest sectors with one element a thread,
    neighbouring lanes at neighbours. What their data never meet goes its own way. What they do meet is weighed:
    one element a thread for all, several for all, or several and a change of layout for what lies apart. The
    cost is instructions and sectors of a warp, counted at sample addresses (see `AccessCost.h`), and the plan of
    the change.

    Loads that only dots use share a layout only with those that their data join on the way to the
    dot: bytes of an operand, 16 in a row, are no reason to store sums of four bytes 16 in a row. In a loop of
    several stages, where nothing but the dot uses what they load, they have as many elements in a row as one
    instruction may access even if threads are then left without work: such loads become copies into shared
    memory, of at least four bytes each.

    A remark says how such a choice fell: `missed` where accesses that could be wide take one element a thread,
    else `passed`. How wide each access is in the end is known, and told, by `convert-tile-to-llvm`.

    Before:
    ```mlir
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>, #one_each>
    ```
    After:
    ```mlir
    %q = tile.convert_layout %p : tensor<1024x!tile.ptr<f32>, #one_each> -> tensor<1024x!tile.ptr<f32>, #four_each>
    %w = tile.load %q : tensor<1024x!tile.ptr<f32>, #four_each>
    %v = tile.convert_layout %w : tensor<1024xf32, #four_each> -> tensor<1024xf32, #one_each>
    ```

    *Needs*: the `distributed` form. *Leaves*: the same, with accesses as anchors for the layouts of the rest.
    *Stands here because* the accesses decide, and everything else follows them.
  }];
  let dependentDialects = ["::tegula::tile::TileDialect"];
}

def RemoveConversionsPass : Pass<"remove-conversions", "::mlir::ModuleOp"> {
  let summary = "values live where their users want them, conversions remain where nothing else helps";
  let description = [{
    All conversions are forgotten and the few that are needed are placed anew:

    1. Memory accesses, dots, and ops that this pass does not know, keep their layouts.
    2. What is computed from constants, `tile.arange` and scalars alone is rematerialised in each layout that
       an op asks for: offsets, pointers and masks need no conversion. A value repeated along an axis
       is converted, where it must be, before it is repeated.
    3. What is computed from loaded data follows the data, on to its next access. A reduction takes it as it
       lies and leaves the slice, which is widened back, carried and, where a thread has few of its elements,
       stored without a conversion.
    4. A loop-carried value, or the result of an `scf.if`, lives where a dot adds to it, where the accesses
       that use it want it, or where what it is combined with lives.
    5. Where two anchors disagree, one conversion is placed, before values are widened. What is combined with
       the result of a dot comes to it, and the conversion to the store's layout follows the last cast. An
       atomic addition of sums whose result is unused stays where they are if a target adds vectors and they fill
       sectors of memory.

    A conversion that stays is reported by a `missed` remark (`passed` for one that feeds a dot), and so is a
    reduction that spans warps.

    Before:
    ```mlir
    %w = tile.load %q : tensor<1024x!tile.ptr<f32>, #four_each>
    %v = tile.convert_layout %w : tensor<1024xf32, #four_each> -> tensor<1024xf32, #one_each>
    %d = arith.addf %v, %v : tensor<1024xf32, #one_each>
    ```
    After:
    ```mlir
    %w = tile.load %q : tensor<1024x!tile.ptr<f32>, #four_each>
    %d = arith.addf %w, %w : tensor<1024xf32, #four_each>
    ```

    *Needs*: the `distributed` form. *Leaves*: the same; elementwise kernels hold no conversion, a transposing
    copy holds one, on the data. *Stands here because* anchors are chosen.
  }];
  let dependentDialects = ["::tegula::tile::TileDialect"];
}

#endif // TEGULA_COMPILER_DISTRIBUTE_PASSES
