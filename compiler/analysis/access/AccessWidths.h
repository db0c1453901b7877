// The widths of accesses and equal registers: how many neighbouring elements of each memory access may share
// one instruction, and which registers of a value must be equal.
#pragma once

#include "compiler/analysis/access/SignTrust.h"
#include "compiler/analysis/integers/AxisInfoAnalysis.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tegula {

/// Maps a `tile.load`, `tile.store`, `tile.atomic_rmw` or `tgpu.async_copy` of a tensor to one number for
/// each axis: elements come in aligned groups of so many that are neighbours in memory, are aligned to the
/// size of the group, and have one mask bit. Ops that are absent have groups of one.
using AccessWidths = llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 4>>;

/// Asks about every access in `module`.
AccessWidths computeAccessWidths(mlir::ModuleOp module, const AxisInfoAnalysis &facts);

/// Maps an elementwise op or a load to the bits of a register's number that do not matter: the element in
/// register r equals that in r without them, in every thread. A mask `offsets < n`, for one, is the same for
/// 16 neighbours where 16 divides n, and need be compared once for all of them; `scales + offsets // 16` is
/// one address for 16, which one load reads. Ops that are absent have none.
using EqualRegisters = llvm::DenseMap<mlir::Operation *, uint32_t>;

/// Asks about every op of integers with a layout in `module`, and every load.
EqualRegisters computeEqualRegisters(mlir::ModuleOp module, const SignTrust &trust);

} // namespace tegula
