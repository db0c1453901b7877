// The passes of the distribute stage; Passes.td describes them in the order they run.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tegula {

#define GEN_PASS_DECL
#include "compiler/distribute/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/distribute/Passes.h.inc"

} // namespace tegula
