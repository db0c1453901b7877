// The pass of the emit stage, for tests and the curious.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <string>

namespace tegula {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/emit/Passes.h.inc"

} // namespace tegula
