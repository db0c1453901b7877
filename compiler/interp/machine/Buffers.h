// The shared memory of one program: buffers, what each of their elements holds, and copies on their way.
//
// A copy takes effect at the wait that covers its group and no sooner. Until then its slot may be neither
// read nor written, and the memory that it copies from keeps its values: each is checked, since a device that
// is done sooner or later than others would show anything. A product is computed when it starts, which by the
// same rule is as good as later: until the wait that covers it the slots that it reads may not be written,
// and its sums not be looked at. A store of boxes takes what it stores when it starts; its slot may not be
// written before a wait has found it read, and memory changes at the wait that covers it, or at the program's
// end.
#pragma once

#include "compiler/interp/values/Tensor.h"

#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace tegula::tgpu {
class BufferType;
} // namespace tegula::tgpu

namespace tegula::interp {

/// Tensors of one buffer as they lie: element `offset` of slot `s` is at `s * slotElements + offset`.
struct Buffer {
  explicit Buffer(tgpu::BufferType type);

  enum State : uint8_t { NeverWritten, Undefined, Defined };
  size_t slotElements;
  std::vector<uint32_t> offsets; ///< of each element of a tensor in row-major order, by the buffer's layout
  std::vector<uint64_t> bits;
  std::vector<State> states;
  std::vector<unsigned> underway; ///< for each slot: copies into it that were not waited for
  std::vector<unsigned> readers;  ///< for each slot: products that read it and were not waited for
  std::vector<unsigned> stores;   ///< for each slot: stores of boxes that may still read it

  size_t place(size_t slot, size_t element) const { return slot * slotElements + offsets[element]; }
  /// Writes an element of a tensor to its place in a slot.
  void write(size_t slot, const Tensor &from, size_t element) {
    const size_t to = place(slot, element);
    bits[to] = from.bits[element];
    states[to] = stateOf(!from.isUndefined(element));
  }
  static State stateOf(bool isDefined) { return isDefined ? Defined : Undefined; }
};

/// One element of a copy.
struct CopiedElement {
  uint64_t address; ///< 0 where the mask does not hold: a zero is written
  uint64_t bits;    ///< what was there when the copy began
  Buffer::State state;
};

/// A copy into one slot.
struct Copy {
  const struct Step *step;
  size_t buffer, slot;
  std::vector<CopiedElement> elements;
};

/// A product that was not waited for, and the slots that it reads.
struct Product {
  const struct Step *step;
  std::vector<std::pair<size_t, size_t>> slots; ///< buffer and slot
};

/// A store of boxes that memory does not show yet.
struct BoxStore {
  const struct Step *step;
  size_t buffer, slot;
  bool isRead; ///< a wait has found its slot read
  std::vector<CopiedElement> elements;
};

/// A barrier that TMA copies arrive at, or readers of a slot.
struct Phases {
  bool isLive = false;              ///< it has begun and not ended
  int64_t phase = 0;                ///< the present one
  std::optional<int64_t> next;      ///< the phase to be awaited next, once one was: -1 is before the first
  std::optional<uint64_t> expected; ///< bytes that it expects, once that was said
  uint64_t bytes = 0;               ///< of the copies
  std::vector<Copy> copies;         ///< on their way
};

struct SharedMemory {
  std::vector<Buffer> buffers;               ///< a value of the type `!tgpu.buffer` is an index into these
  std::vector<Copy> open;                    ///< of no group yet
  std::deque<std::vector<Copy>> underway;    ///< groups, the oldest first
  std::deque<Product> products;              ///< in flight, the oldest first
  std::deque<BoxStore> stores;               ///< in flight, the oldest first
  std::vector<std::vector<Phases>> barriers; ///< a value of the type `!tgpu.barriers` is an index into these
};

class Machine;
/// Memory shows all stores of boxes but the `pending` last.
void writeStores(Machine &machine, size_t pending);

/// Fails where a program ends with copies or products that it did not wait for, or with a store that may
/// still read its slot.
mlir::LogicalResult checkAllAwaited(Machine &machine);

/// Begins a copy into `slot` of buffer number `buffer`: of the elements at `addresses` where `mask` holds,
/// and of zeros elsewhere. A null `mask` holds everywhere.
mlir::FailureOr<Copy> beginCopy(Machine &machine, const Step &step, const Tensor &addresses,
                                const Tensor *mask, size_t buffer, size_t slot, Element element);
/// `copy`, into a buffer of type `type`, is done. Fails where what it reads was changed meanwhile.
mlir::LogicalResult complete(Machine &machine, const Copy &copy, tgpu::BufferType type);

/// The slot that operand `operand` of `step` names, a number of `buffer`'s that no copy may be on its way to;
/// `verb` is "read" or "write", and what is to be written no product nor store may read.
mlir::FailureOr<size_t> freeSlot(Machine &machine, const Step &step, unsigned operand, const Buffer &buffer,
                                 llvm::StringRef verb);

} // namespace tegula::interp
