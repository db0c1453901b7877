// Facts about one load, store or atomic op: how its elements are in memory.
#pragma once

#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "compiler/plan/AccessPlan.h"
#include "dialect/tile/Tile.h"

#include <string>

namespace tegula {

/// The widest access of one thread that every target has.
inline constexpr unsigned MaxAccessBytes = MaxVectorBits / 8;

/// The places of the elements of one access in memory.
struct MemoryAccess {
  /// Axes of the tensor, the one whose neighbours are nearest in memory first.
  llvm::SmallVector<unsigned, 2> order;
  /// False where nothing is known of any axis, so that `order` is only the row-major default.
  bool hasOrder = false;
  /// Bytes of one element in memory.
  unsigned elementBytes = 1;
  /// The aligned groups along each axis: this many elements along it are neighbours in memory, start at a
  /// multiple of their bytes and share one mask bit, so that one instruction may access them. Powers of two
  /// of at most `MaxAccessBytes`; 1 where nothing is known.
  llvm::SmallVector<unsigned, 2> runs;
  /// Neighbours along `order[0]` that lie side by side in memory, however many one instruction may access.
  int64_t adjacent = 1;
  /// The limit that makes the run along `order[0]` shorter than it could be, and the run without it.
  enum class Limit : uint8_t { None, Mask, Alignment, Adjacency } limitedBy = Limit::None;
  int64_t unlimited = 1;
  /// The same in words; empty where nothing does.
  std::string limit;

  /// Sets what limits the run to less than `elements`, and returns the words to be filled in.
  std::string &limitTo(Limit by, int64_t elements) {
    limitedBy = by;
    unlimited = elements;
    return limit;
  }
  /// The run along the fastest axis.
  unsigned run() const { return runs[order.front()]; }
};

/// Returns what remarks call the access that `op` makes: "load", "store", "atomic" or "copy".
llvm::StringRef nameOfAccess(mlir::Operation *op);

/// The access that `op` makes through a tensor of pointers; nothing for an op that makes none.
std::optional<MemoryAccess> analyzeAccess(mlir::Operation *op, const AxisInfoAnalysis &facts);

/// Returns how long the aligned groups along each axis of `tensor` are whose elements are equal; nothing
/// where that was not computed.
llvm::SmallVector<unsigned, 4> equalGroups(mlir::Value tensor, const AxisInfoAnalysis &facts);

/// Returns how long the aligned groups along each axis are that `load` finds at one address, under one mask
/// bit; nothing likewise.
llvm::SmallVector<unsigned, 4> oneAddressGroups(tile::LoadOp load, const AxisInfoAnalysis &facts);

/// The least and the most bytes that `tgpu.async_copy` copies at a time.
inline constexpr unsigned MinCopyBytes = 4, MaxCopyBytes = 16;

/// The copies by which a thread would move what an access reads straight into shared memory.
struct CopyRun {
  unsigned axis = 0;  ///< along which the elements of one copy are neighbours
  unsigned bytes = 0; ///< of one copy: 4, 8 or 16; 0 where there is no such copy
};

/// Returns whether `value` is known to be zero in all bits of all elements.
bool isZero(mlir::Value value);

/// Returns whether a copy, by threads or by TMA, gives the values that `load` does: it is not volatile, and
/// where its mask does not hold it gives nothing, or zero in all bits.
bool isCopyable(tile::LoadOp load);

/// Returns how many bytes each thread may copy at a time from the pointers of `op`, a `tile.load` or a
/// `tgpu.async_copy`, given that the threads have them as their layout says: the longest run in a thread's
/// registers of elements that are neighbours in memory, aligned to the size of the run and share one mask
/// bit. No copy where that is less than 4 bytes, where threads have no tensor with a layout, or where a load
/// asks for what a copy cannot do: be volatile, or give anything but zero where the mask does not hold.
CopyRun copyRunOf(mlir::Operation *op, const AxisInfoAnalysis &facts);

} // namespace tegula
