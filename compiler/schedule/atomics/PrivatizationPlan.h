// Decides which atomic ops change a table in shared memory before they change their array (privatization).
//
// Where many elements have few addresses, as in a histogram, global memory changes one word after the other.
// Shared memory is faster by more than an order of magnitude, and each block has its own. A table stands for
// the first elements of the array from the pointer on that all programs have in common:
//
//      counts_ptr + x           0 <= x < 2048: the table, elsewhere: global memory, as before
//
// It begins with the neutral element (0 for additions), so where it has another one at the end there were
// changes, and only such elements are written. No tags are needed, and how long the array is need not be
// known.
//
// The array changes as if each program had waited for all others of its block right before its atomic ops,
// and then all were done one after the other. Programs may be scheduled so, since they have no order among
// themselves.
#pragma once

#include "compiler/analysis/Decision.h"
#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// An atomic op on `base + offset`, whose base is the same for all programs.
struct PrivateAtomic {
  tile::AtomicRMWOp op;
  mlir::Value base;   ///< a pointer
  mlir::Value offset; ///< a tensor of integers that count elements
};

/// Decides whether a table could stand for what `op` changes, as far as the op itself tells.
Decision<PrivateAtomic> asPrivate(tile::AtomicRMWOp op, const AxisInfoAnalysis &facts);

/// Decides whether all of `atomics` may change one table, and so be done at a block's end for all of its
/// programs together: no other op can observe that, and programs do not wait for each other. Requires that
/// these are the ops of `kernel` that `asPrivate` approves of.
Decision<> mayPrivatize(mlir::func::FuncOp kernel, llvm::ArrayRef<PrivateAtomic> atomics);

/// Elements of a table, of 32 bits each: 8 KiB, which eight blocks have room for on every target.
inline constexpr int32_t TableElements = 2048;

/// Returns how many blocks of `kernel` are to share a multiprocessor, each with a table.
unsigned blocksWithTables(mlir::func::FuncOp kernel);

/// Returns the value of i32 that changes nothing where an op of this kind combines it with another.
uint32_t neutralElement(tile::AtomicKind kind);

} // namespace tegula
