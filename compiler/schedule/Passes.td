//===- Passes.td - the schedule stage, in the order its passes run ----------===//

#ifndef TEGULA_COMPILER_SCHEDULE_PASSES
#define TEGULA_COMPILER_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def HoistInvariantsPass : Pass<"hoist-invariants", "::mlir::ModuleOp"> {
  let summary = "what is the same in every iteration is computed once";
  let description = [{
    Upstream's loop-invariant code motion for ops without effects, in every loop whose author did not refuse it
    (`no_licm`). Conversions between layouts are such ops.

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
    loop behind it. A remark says so, or why not.

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

def PipelineLoopsPass : Pass<"pipeline-loops", "::mlir::ModuleOp"> {
  let summary = "the next iterations' loads are in flight while this one computes";
  let description = [{
    In a loop with `stages = S`, loads whose addresses depend only on which iteration it is run S - 1
    iterations ahead, in registers. Loads beyond the last iteration are masked out, so every number of
    iterations is right, none included. Addresses are computed twice rather than kept.

    A load stays where it is when its address depends on what the loop computes, or a store of the loop may
    change it: a store through the same parameter of the kernel, or through a pointer from memory. Stages in
    excess of the registers for loads in flight are not used. Loops that order memory stay as they are.
    A remark says what was done, or why not.

    Before:
    ```mlir
    scf.for %i = %a to %b step %c : i32 {
      %v = tile.load %p : tensor<1024x!tile.ptr<f32>, #l>
      ... %v ...
    } {tile.loop = #tile.loop<stages = 2>}
    ```
    After:
    ```mlir
    %first = tile.load %p0, %any : tensor<1024x!tile.ptr<f32>, #l>
    scf.for %i = %a to %b step %c iter_args(%v = %first) -> (tensor<1024xf32, #l>) : i32 {
      %next = tile.load %p1, %more : tensor<1024x!tile.ptr<f32>, #l>
      ... %v ...
      scf.yield %next : tensor<1024xf32, #l>
    }
    ```

    *Needs*: the `distributed` form, since layouts tell how many registers a load takes. *Leaves*: the same,
    without `tile.loop`. *Stands here because* loops have their final bodies.
  }];
  let options = [Option<"defaultStages", "default-stages", "uint32_t", /*default=*/"1",
                        "stages of loops whose author asked for none">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tegula::tile::TileDialect"];
}

def PlanResidencyPass : Pass<"plan-residency", "::mlir::ModuleOp"> {
  let summary = "let several blocks of a reduction share a multiprocessor";
  let description = [{
    A reduction of a row waits for all warps. What a thread holds meanwhile decides how many blocks share a
    multiprocessor, and with them whether loads of one row overlap with the arithmetic of another. From the
    values that live across each reduction this pass counts how many blocks can, up to what keeps a
    multiprocessor busy, and says so in `tile.residency`: left alone, the assembler takes a few registers too many.

    Where what lives comes by a few elementwise ops from values of half the size (a row of 16-bit floats, say)
    and more blocks then fit, the narrow values are kept and the ops repeated after the reduction, behind a
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

    *Needs*: the `distributed` form, since layouts tell how many registers a value takes. *Leaves*: the same form,
    and `tile.residency` on the kernel. *Stands here because* nothing after it merges equal ops of tile IR.
  }];
  let dependentDialects = ["::tegula::tile::TileDialect"];
}

#endif // TEGULA_COMPILER_SCHEDULE_PASSES
