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
    %y = math.exp %x fastmath<afn> : tensor<128xf32>
    ```
    After:
    ```mlir
    %t = arith.mulf %x, %log2e : tensor<128xf32>
    %y = math.exp2 %t fastmath<afn> : tensor<128xf32>
    ```

    *Needs*: nothing. *Leaves*: of `math`, only what `convert-scalars-to-llvm` lists, and `scf.if` on scalars:
    `sin`, `cos` and `tan` branch where an argument is large. Of divisions it makes `fastmath<afn>`, which may be
    off by 2 ulp, and `1 / x` with `fastmath<arcp, afn>`, by 1 (`rcp.approx`). `coefficients/README.md` has the
    errors and costs of the functions.
    *Stands here because* it works on tensors and scalars alike, and is cheaper before a tensor becomes
    many scalars.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
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

    The kernel becomes an `llvm.func` marked `nvvm.kernel`, with the number of its threads.

    *Needs*: the `distributed` (or `scheduled`) form: a layout on every tensor. *Leaves*: no tensors and no
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

    Of `math` it takes `absf`, `absi`, `ceil`, `copysign`, `ctlz`, `cttz`, `ctpop`, `exp2` (afn, f32), `floor`,
    `fma`, `round`, `roundeven`, `rsqrt` (afn, f32), `sqrt` and `trunc`; the rest is `expand-math`'s work.

    *Needs*: no tensors. *Leaves*: the `llvm` form: `llvm` and `nvvm` only.
    *Stands here because* it ends the stage.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // TEGULA_COMPILER_LOWER_PASSES
