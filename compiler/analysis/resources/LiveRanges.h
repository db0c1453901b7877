// When the buffers of a kernel live: between which of its ops, in the order of the text.
#pragma once

#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tegula {

/// From one op to another, as they are counted through a kernel, both included.
struct LiveRange {
  unsigned first = 0, last = 0;
  bool overlaps(const LiveRange &other) const { return first <= other.last && other.first <= last; }
};

/// The uses of a buffer, and how long what they start is in flight.
class BufferUses {
public:
  virtual ~BufferUses() = default;
  virtual llvm::ArrayRef<mlir::Operation *> ops() const = 0;
  /// Returns whether waits say when what `op` starts is done. Barriers of other work live throughout the
  /// kernel.
  virtual bool isStarted(mlir::Operation *op) const = 0;
  /// Returns the place of the last op up to which what `started` began may be in flight, if `op` waits for
  /// it.
  virtual std::optional<unsigned> endOfFlight(mlir::Operation *op, mlir::Operation *started) const = 0;
};

/// The ops of a kernel counted in the order of their text.
class KernelOrder {
public:
  explicit KernelOrder(mlir::func::FuncOp kernel) : KernelOrder(kernel, /*isPlanned=*/false, false) {}
  /// Counts a kernel of which more is planned: each dot is going to read its operands from their buffers
  /// itself, part by part (`split-dots`), and with `isPersistent` all but the buffers is going to stand in a
  /// loop over programs.
  static KernelOrder ofPlan(mlir::func::FuncOp kernel, bool isPersistent) {
    return KernelOrder(kernel, /*isPlanned=*/true, isPersistent);
  }

  unsigned placeOf(mlir::Operation *op) const { return positions.at(op); }
  /// Returns the range of `op` alone.
  LiveRange at(mlir::Operation *op) const { return {positions.at(op), positions.at(op)}; }
  /// Returns the range of `op` and of all in it.
  LiveRange in(mlir::Operation *op) const { return {positions.at(op), last.at(op)}; }
  /// Returns the kernel from end to end: the range of barriers, which go on counting between their uses.
  LiveRange whole() const { return {0, count}; }

  /// Returns the range from the first use of a buffer to its last; copies into it are in flight until all are
  /// waited for, and so are products that read it and stores that go by it.
  ///
  /// A loop around all uses fills the buffer anew in each iteration: what lives longer is filled ahead,
  /// before the loop. There the buffer lives for a part of the body, unless something is in flight where that
  /// ends.
  LiveRange liveRangeOf(const BufferUses &uses) const;
  LiveRange liveRangeOf(tgpu::AllocOp alloc) const;

  /// Returns the range of a buffer that is filled ahead of `loop` and used up in it.
  LiveRange aheadOf(mlir::Operation *loop) const;
  /// Returns the range from the kernel's start to the end of `loop`, and of all loops around it.
  LiveRange untilAfter(mlir::Operation *loop) const;

private:
  KernelOrder(mlir::func::FuncOp kernel, bool isPlanned, bool isPersistent);
  std::optional<LiveRange> liveRangeIn(const BufferUses &uses, mlir::Block *block, bool isLoop) const;
  std::optional<unsigned> waitFor(const BufferUses &uses, mlir::Operation *started, mlir::Block *block) const;

  mlir::Block *body; ///< the kernel's own
  bool isPlanned, isPersistent;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  llvm::DenseMap<mlir::Operation *, unsigned>
      last; ///< position of the last op inside, the op itself included
  unsigned count = 0;
};

} // namespace tegula
