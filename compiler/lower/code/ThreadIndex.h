// The place of a thread in its program, and values that depend on nothing else.
#pragma once

#include "compiler/analysis/plans/Executor.h"

#include "mlir/IR/Builders.h"

#include <map>
#include <vector>

namespace tegula {

/// Values that depend on the thread alone, made once at the start of the kernel and then reused.
class ThreadIndex {
public:
  /// For programs of `warps` warps, `programs` of them in a block of `blockThreads` threads: where that is
  /// more, the rest are a producer's, and what is computed of a thread's number they do not use.
  ThreadIndex(unsigned warps, unsigned programs, unsigned blockThreads)
      : warps(warps), programs(programs), blockThreads(blockThreads) {}

  /// The thread's number in its program, an i32.
  mlir::Value thread(mlir::OpBuilder &builder);

  /// The program's number among those of its block, an i32.
  mlir::Value program(mlir::OpBuilder &builder);

  /// The exclusive or of `columns[i]` over the one bits i of the thread's number, an i32. Null when all
  /// columns are zero.
  mlir::Value linear(mlir::OpBuilder &builder, llvm::ArrayRef<uint32_t> columns);

  /// Likewise of bits of the warp's number alone, as a value that the backend knows to be the same in all
  /// lanes.
  mlir::Value linearOfWarps(mlir::OpBuilder &builder, llvm::ArrayRef<uint32_t> columns);

  /// The same of bits of the number of a part, of `parts` equal ones of the warps.
  mlir::Value linearOfParts(mlir::OpBuilder &builder, unsigned parts, llvm::ArrayRef<uint32_t> columns);

  /// An i1 that holds in threads from number `first` of the block on.
  mlir::Value isFrom(mlir::OpBuilder &builder, uint32_t first);

  /// An i1 that holds in threads whose number has none of the bits of `mask`; null when `mask` is zero.
  mlir::Value noneOf(mlir::OpBuilder &builder, uint32_t mask);

private:
  /// Returns `known`, made first if it is null: after the last value made here, at the start of the function
  /// that `builder` is in, with the place of the op for which it inserts. What is made once for all serves
  /// the first that asks.
  mlir::Value once(mlir::OpBuilder &builder, mlir::Value &known,
                   llvm::function_ref<mlir::Value(mlir::Location)> make);
  mlir::Value threadInBlock(mlir::OpBuilder &builder);

  unsigned warps, programs, blockThreads;
  mlir::Value blockThread; ///< the thread's number in its block
  mlir::Value threadValue, programValue;
  mlir::Operation *last = nullptr;
  std::map<std::vector<uint32_t>, mlir::Value> linears, warpLinears;
  std::map<uint32_t, mlir::Value> masks;
};

/// The exclusive or of `columns[i]` over the one bits i of `number`, an i32 with no other bits than `bits`.
/// Null when all columns are zero.
mlir::Value linearOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number, uint32_t bits,
                     llvm::ArrayRef<uint32_t> columns);

/// A thread's part of a linear map and a constant part, put together: `base ^ constant`, as an addition
/// that the backend can fold into addresses where no bit meets. `columns` are those that made `base`.
mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value base,
                    llvm::ArrayRef<uint32_t> columns, uint32_t constant);

/// All threads of `executor` wait for each other.
void emitBarrier(mlir::OpBuilder &builder, mlir::Location loc, const Executor &executor);

/// Lets the threads of each of `parts` equal parts of the warps of `executor`, a power of two, wait for each
/// other.
void emitPartBarrier(mlir::OpBuilder &builder, mlir::Location loc, const Executor &executor, unsigned parts,
                     ThreadIndex &threads);

/// The threads of each warp wait for each other.
void emitWarpBarrier(mlir::OpBuilder &builder, mlir::Location loc);

/// Lets units see what the thread wrote to shared memory.
void emitProxyFence(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace tegula
