//===- Passes.td - the lower stage, in the order its passes run -------------===//

#ifndef TEGULA_COMPILER_LOWER_PASSES
#define TEGULA_COMPILER_LOWER_PASSES

include "mlir/Pass/PassBase.td"

def ExpandMathPass : Pass<"expand-math", "::mlir::ModuleOp"> {
  let summary = "write math functions out in arithmetic that the backend has instructions for";
  let description = [{
    The NVPTX backend aborts on `exp`, `log` and their kin, and knows no `erf`, `sin` or `tanh` that is
    accurate. This pass replaces each by arithmetic of the precision that its fast-math flags allow.

    Before:
    ```mlir
    %y = math.rsqrt %x : tensor<128xf64>
    ```
    After:
    ```mlir
    %root = math.sqrt %x : tensor<128xf64>
    %y = arith.divf %one, %root : tensor<128xf64>
    ```

    An approximate `exp` of which at most 16 bits are seen becomes the square of the hardware's power of two, and
    approximate quotients by a divisor that many elements share become products with its reciprocal:
    ```mlir
    %root = math.exp2 %half fastmath<afn> : tensor<128xf32>
    %y = arith.mulf %root, %root : tensor<128xf32>
    ```

    *Needs*: nothing. *Leaves*: of `math`, only what `convert-scalars-to-llvm` lists, and `scf.if` on scalars:
    `sin`, `cos` and `tan` branch where an argument is large, each element of a tensor by itself (`tile.map`). Of
    divisions it makes `fastmath<afn>`, which may be off by 2 ulp, and `1 / x` with `fastmath<arcp, afn>`, by 1
    (`rcp.approx`). `coefficients/README.md` has the errors and costs of the functions.
    *Stands here because* it works on tensors and scalars alike, and is cheaper before a tensor becomes
    many scalars.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::tegula::tile::TileDialect"];
}

def AllocateSharedPass : Pass<"allocate-shared", "::mlir::ModuleOp"> {
  let summary = "buffers, and ops whose threads exchange data, get a place in shared memory";
  let description = [{
    A buffer (`tgpu.alloc`) has bytes of its own from the first op that uses it to the last, with all of the
    loops that contain these; one that is copied into also until the next `tgpu.async_wait pending 0`, and one that
    goes to memory until the next `tgpu.tma_store_wait pending 0`. Buffers
    that are not needed at the same time share bytes: each gets the lowest place that is free, the largest first, and
    where that leaves gaps that the target has no room for, in another order.

    Layout changes and reductions that cross warps need shared memory while they run, and leave nothing there.
    So one place apart from the buffers of that moment would do for all; but an op that writes where another warp
    may still be reading must wait for it. Each op therefore gets the lowest place that is apart from those whose
    reads may not be done when it starts, around loops too, if the total stays within that of the buffers, the
    largest need of one op or 4096 bytes; else the lowest apart from buffers, and `place-barriers` lets it wait. If
    that should add up to more than 4096 bytes and more than a block takes otherwise, no op is kept apart.

    Live ranges and places are those of `analysis/SharedMemory`, which the plans of `schedule` ask as well: what they
    predict is what is taken.

    More than the target's blocks have is an error that names what is needed at the same time, its line and its
    bytes.

    Before:
    ```mlir
    %m = tile.reduce %x axis 0 : tensor<1024xf32, #row> -> f32 { ... }
    %s = tile.reduce %e axis 0 : tensor<1024xf32, #row> -> f32 { ... }
    ```
    After:
    ```mlir
    %m = tile.reduce %x axis 0 {tile.scratch = #tile.scratch<offset = 0, bytes = 16>} : ...
    %s = tile.reduce %e axis 0 {tile.scratch = #tile.scratch<offset = 16, bytes = 16>} : ...
    ```

    *Needs*: a layout on every tensor. *Leaves*: `tile.scratch` on each op for which `scratchBytes` is not 0,
    among them each buffer with a use, and on no other. *Stands here because* layouts are final, and no pass after it makes or moves such ops.
  }];
}

def PlaceBarriersPass : Pass<"place-barriers", "::mlir::ModuleOp"> {
  let summary = "all threads wait for each other where two accesses could meet";
  let description = [{
    An op with shared memory writes, waits, and reads. Its barrier also ends what came before. Another one
    is put before an op where, on some way to it without a barrier,

    - another warp may still read shared memory that the op writes, or may still write what it reads or writes:
      by a store, or by a copy that each thread has waited for on its own;
    - global memory was read through a parameter of the kernel that it writes through, or the reverse, and another
      thread may touch the same bytes: the pointers are not the same values in the same threads, or several warps
      load the same elements. Round a loop, a pointer that the loop computes is not the same value. Different
      parameters are different arrays, two stores are left alone (`GlobalHazards.h` says why);
    - memory was accessed and the op is atomic with release order, on a scalar or a store: what other threads
      accessed comes before it, too;
    - an atomic op with acquire order, on a scalar or a load, precedes it and it accesses memory.

    Before:
    ```mlir
    %n = tile.load %p : !tile.ptr<f32>
    tile.store %p, %x : !tile.ptr<f32>
    ```
    After:
    ```mlir
    %n = tile.load %p : !tile.ptr<f32>
    tile.barrier
    tile.store %p, %x : !tile.ptr<f32>
    ```

    Stores of boxes by way of one buffer wait for each other by themselves.

    A buffer counts as a whole, except that copies in flight into it conflict with no load of it: they are into other slots.
    In the end each barrier without which the others suffice is left out: so a loop with copies some iterations
    ahead has one, between the wait and the first copy.

    *Needs*: `allocate-shared`. *Leaves*: no two accesses of shared memory that could meet, whatever the order in
    which warps run. *Stands here because* every op that the threads carry out together is still one op.
  }];
}

def ConvertTileToLLVMPass : Pass<"convert-tile-to-llvm", "::mlir::ModuleOp"> {
  let summary = "tensors become the registers of one thread";
  let description = [{
    A tensor whose layout gives each thread N registers becomes N scalar values (a 1:N conversion, so no
    structs appear), `!tile.ptr` becomes `!llvm.ptr<1>`, and each `tile` op becomes what one thread does
    for it. The layout decides everything: which elements a thread computes, which of them lie side by
    side in memory, which threads hold mere copies, and how data moves in `tile.convert_layout`.

    Before:
    ```mlir
    %v = tile.load %p, %m : tensor<1024x!tile.ptr<f32>, #blocked>
    ```
    After, for each vector of four registers:
    ```mlir
    %q = llvm.inline_asm has_side_effects "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", ...
    ```

    The kernel becomes an `llvm.func` marked `nvvm.kernel`, with the number of its threads. Remarks tell what
    became of reductions, dots, and accesses of memory: how many elements one instruction takes, and why no more.

    *Needs*: one kernel in the module, the `distributed` (or `scheduled`) form, a layout on every tensor, and a place for
    what needs shared memory. *Leaves*: no tensors and no
    `tile` ops; in the kernel `arith`, `math` and `scf` on scalars, `llvm` and `nvvm`; shared memory as one
    external array of the length needed. *Stands here because* layouts are final.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def ConvertScalarsToLLVMPass : Pass<"convert-scalars-to-llvm", "::mlir::ModuleOp"> {
  let summary = "scalar arithmetic and control flow become llvm";
  let description = [{
    Before:
    ```mlir
    %y = scf.if %c -> f32 { scf.yield %a : f32 } else { scf.yield %b : f32 }
    ```
    After:
    ```mlir
    llvm.cond_br %c, ^bb1, ^bb2
    ```

    Of `math` it takes `absf`, `absi`, `ceil`, `copysign`, `ctlz`, `cttz`, `ctpop`, `exp` and `exp2` (afn, f32),
    `floor`, `fma`, `round`, `roundeven`, `rsqrt` (afn, f32), `sqrt` and `trunc`; the rest is `expand-math`'s work.

    *Needs*: no tensors. *Leaves*: the `llvm` form: `llvm` and `nvvm` only.
    *Stands here because* it ends the stage.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // TEGULA_COMPILER_LOWER_PASSES
