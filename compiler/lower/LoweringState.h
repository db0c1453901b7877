// What the patterns of one conversion share: the kernel's size, where a thread stands, what is known
// of each memory access, and the shared memory handed out so far.
#pragma once

#include "compiler/lower/AccessWidths.h"
#include "compiler/lower/DeviceCalls.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <vector>

namespace tegula {

/// Values that depend on the thread alone, made once at the start of the kernel and then reused.
class ThreadIndex {
public:
  explicit ThreadIndex(unsigned warps) : warps(warps) {}

  /// Bits of a thread's number: five for the lane, the rest for the warp.
  unsigned bits() const;

  /// The thread's number in its block, an i32.
  mlir::Value thread(mlir::OpBuilder &builder);

  /// The exclusive or of `columns[i]` over the one bits i of the thread's number, an i32. Null when all
  /// columns are zero.
  mlir::Value linear(mlir::OpBuilder &builder, llvm::ArrayRef<uint32_t> columns);

  /// An i1 that holds in threads whose number has none of the bits of `mask`; null when `mask` is zero.
  mlir::Value noneOf(mlir::OpBuilder &builder, uint32_t mask);

private:
  /// Makes `builder` insert after the last value made here, at the start of the function it is in.
  void moveTo(mlir::OpBuilder &builder);
  mlir::Value keep(mlir::Value value);

  unsigned warps;
  mlir::Value threadValue;
  mlir::Operation *last = nullptr;
  std::map<std::vector<uint32_t>, mlir::Value> linears;
  std::map<uint32_t, mlir::Value> masks;
};

/// A thread's part of a linear map and a constant part, put together: `base ^ constant`, as an addition
/// that the backend can fold into addresses where no bit meets. `columns` are those that made `base`.
mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value base,
                    llvm::ArrayRef<uint32_t> columns, uint32_t constant);

/// The kernel's shared memory: one array whose length the launch gives.
///
/// Buffers live only for the one conversion that uses them, so all start at offset 0 and the size is
/// that of the largest; a barrier stands between the last reads of one and the first writes of the next.
class SharedMemory {
public:
  explicit SharedMemory(mlir::ModuleOp module) : module(module) {}

  /// The address, in space 3, of a buffer of `bytes` aligned to 16.
  mlir::Value buffer(mlir::OpBuilder &builder, mlir::Location loc, uint32_t bytes);
  /// True once a buffer has been handed out.
  bool inUse() const { return size != 0; }
  /// Gives the array its final length. Called once, after the conversion.
  void finish();

private:
  mlir::ModuleOp module;
  mlir::LLVM::GlobalOp array;
  uint32_t size = 0;
};

struct LoweringState {
  LoweringState(mlir::ModuleOp module, unsigned warps) : warps(warps), threads(warps), shared(module) {}

  unsigned warps;
  ThreadIndex threads;
  SharedMemory shared;
  AccessWidths widths;
  Texts texts;
};

} // namespace tegula
