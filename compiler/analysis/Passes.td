//===- Passes.td - passes that look and never rewrite ----------------------===//

#ifndef TEGULA_COMPILER_ANALYSIS_PASSES
#define TEGULA_COMPILER_ANALYSIS_PASSES

include "mlir/Pass/PassBase.td"

def VerifyStagePass : Pass<"verify-stage", "::mlir::ModuleOp"> {
  let summary = "check that a module is what its stage promises";
  let description = [{
    Fails with an error at each op that does not belong to the given stage of the flow, or that breaks
    what holds there. Before and after are the same IR:

    ```mlir
    // verify-stage{stage=tile} complains: a layout appears too early
    %0 = tile.arange 0 to 64 : tensor<64xi32, #layout>
    ```

    - `tile`: one public kernel with a parameter attribute on each argument, for a known target; ops of
      `tile` (but no `tile.convert_layout`), `arith` and `math`, `scf.for`, `scf.while` and `scf.if`;
      values are scalars, pointers, tensors of them of power-of-two sides without layouts, or views.
    - `distributed`: the same, but each tensor has a `#tile.layout` for as many warps as the kernel has,
      equal on all tensors of an elementwise op.
    - `scheduled`: the same and ops of `tgpu`; copies are in a group before anybody waits, and buffers that copies
      write are read after a wait; no attribute that a pass made for another is left.
    - `llvm`: ops of `llvm` and `nvvm` only, one kernel, at most one shared allocation, of known
      size.

    *Needs*: any IR that verifies. *Leaves*: it as it was. *Stands here because* each stage's passes lean
    on what the stage before promised; a promise broken is found at once, not three stages later.
  }];
  let options = [
    Option<"stage", "stage", "::tegula::VerifiedStage", "::tegula::VerifiedStage::Tile",
           "which stage the module has reached", [{::llvm::cl::values(
             clEnumValN(::tegula::VerifiedStage::Tile, "tile", "as the front end and simplify leave it"),
             clEnumValN(::tegula::VerifiedStage::Distributed, "distributed", "as distribute leaves it"),
             clEnumValN(::tegula::VerifiedStage::Scheduled, "scheduled", "as schedule leaves it"),
             clEnumValN(::tegula::VerifiedStage::Llvm, "llvm", "as lower leaves it"))}]>,
  ];
}

def CheckBranchesPass : Pass<"check-branches", "::mlir::ModuleOp"> {
  let summary = "threads do nothing together where some of them may not get to";
  let description = [{
    All threads of a program compute a scalar alike, so that they take a branch on it together. A scalar of PTX by hand
    or of `llvm.nvvm.read.ptx.sreg.tid.x` may differ: it asks which thread runs it, or what memory holds at a time. Under a
    branch on one, or in a loop that ends by one, this is an error: a barrier, a reduction, a scan, a product, an exchange
    of elements between threads, an atomic operation whose result is used.

    ```mlir
    %t = tile.inline_asm "mov.u32 $0, %tid.x;", "=r" pure pack = 1 () : () -> i32
    %c = arith.cmpi eq, %t, %zero : i32
    scf.if %c {
      tile.barrier // error: a barrier needs all threads of the program, and some of them may not get here
    }
    ```

    *Needs*: layouts and barriers, which say what needs others. *Leaves*: the IR as it was. *Stands here because* barriers
    are placed, and are ops still.
  }];
}

#endif // TEGULA_COMPILER_ANALYSIS_PASSES
