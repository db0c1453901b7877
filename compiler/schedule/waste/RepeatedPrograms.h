// Reductions that several programs of a launch carry out alike.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// The key of a remark's argument: how the reduction follows from the program's number along x, y and z, as
/// "each", "same", "quotient 8" or "remainder 8".
inline constexpr llvm::StringLiteral ProgramsKey = "Programs";

/// Says in a remark of `plan-loops`, `programs`, which reductions of loaded elements come out alike in
/// several programs, since neither the elements nor the rest follow from all of the program's number.
void reportRepeatedPrograms(mlir::func::FuncOp kernel);

} // namespace tegula
