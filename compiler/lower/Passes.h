// The passes of the lower stage; Passes.td describes them in the order they run.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
namespace arith {
class ArithDialect;
} // namespace arith
namespace cf {
class ControlFlowDialect;
} // namespace cf
namespace LLVM {
class LLVMDialect;
} // namespace LLVM
namespace math {
class MathDialect;
} // namespace math
namespace NVVM {
class NVVMDialect;
} // namespace NVVM
namespace scf {
class SCFDialect;
} // namespace scf
} // namespace mlir

namespace tegula {

#define GEN_PASS_DECL
#include "compiler/lower/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/lower/Passes.h.inc"

} // namespace tegula
