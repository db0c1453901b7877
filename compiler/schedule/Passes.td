//===- Passes.td - the schedule stage, in the order its passes run ----------===//

#ifndef TEGULA_COMPILER_SCHEDULE_PASSES
#define TEGULA_COMPILER_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def RematerializePass : Pass<"rematerialize", "::mlir::ModuleOp"> {
  let summary = "compute wide values anew after a reduction rather than keep them in registers";
  let description = [{
    A reduction of a row waits for all warps, and what a thread holds meanwhile decides how many blocks share
    a multiprocessor, and with them whether loads of one row overlap with the arithmetic of another. Where
    what lives across a reduction comes by a few elementwise ops from values of half the size (a row of 16-bit
    floats, say), the narrow values are kept and the ops repeated after the reduction, behind a
    `tile.opt_barrier`, since every later optimiser would merge them again. Done only where more
    blocks then fit; `tile.residency` says how many.

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

    *Needs*: the `distributed` form, since layouts tell how many registers a value takes. *Leaves*: the same
    form. *Stands here because* nothing after it merges equal ops of tile IR.
  }];
  let dependentDialects = ["::tegula::tile::TileDialect"];
}

#endif // TEGULA_COMPILER_SCHEDULE_PASSES
