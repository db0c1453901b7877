// Constructors and registration of the passes in Passes.td.
#pragma once

#include "dialect/tile/Tile.h"

#include "mlir/Pass/Pass.h"

namespace tegula {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/simplify/Passes.h.inc"

} // namespace tegula
