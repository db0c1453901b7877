//===- Passes.td - looking at what emit makes of a module -------------------===//

#ifndef TEGULA_COMPILER_EMIT_PASSES
#define TEGULA_COMPILER_EMIT_PASSES

include "mlir/Pass/PassBase.td"

def PrintPtxPass : Pass<"print-ptx", "::mlir::ModuleOp"> {
  let summary = "print the PTX that emit makes of a module";
  let description = [{
    Translates a copy of the module to LLVM IR, runs the LLVM passes and the backend, and prints the text
    to standard output. The module stays as it is:

    ```mlir
    llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} { llvm.return }
    ```

    *Needs*: the `llvm` form. *Leaves*: it as it was. *Stands here because* tests of lowering want to see
    instructions; `tegula compile` calls emit directly.
  }];
  let options = [
    Option<"form", "form", "std::string", "\"ptx\"", "what to print: `llvmir` (as translated), `optimized` or `ptx`">,
  ];
}

#endif // TEGULA_COMPILER_EMIT_PASSES
