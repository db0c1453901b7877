// The passes of the schedule stage; Passes.td describes them in the order they run.
#pragma once

#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tegula {

#define GEN_PASS_DECL
#include "compiler/schedule/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/schedule/Passes.h.inc"

} // namespace tegula
