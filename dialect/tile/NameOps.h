// The ops that debuggers and editors learn of values from: names of the source, of which BoundNames.h makes a
// table, and values whose registers are asked for.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tegula::tile {

/// The resource of `tile.debug_value`, so that it stays although it computes nothing.
struct DebugTables : mlir::SideEffects::Resource::Base<DebugTables> {
  llvm::StringRef getName() final { return "<DebugTables>"; }
};

} // namespace tegula::tile

#define GET_OP_CLASSES
#include "dialect/tile/NameOps.h.inc"
