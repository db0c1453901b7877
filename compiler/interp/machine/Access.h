// Accesses of memory by ops: one element at a time, each access checked.
#pragma once

#include "compiler/interp/machine/Machine.h"
#include "dialect/tile/Tile.h"

namespace tegula::interp {

/// The place of an element in the host's memory.
struct Place {
  Place(const Allocation &allocation, uint64_t address)
      : data(allocation.data.get() + (address - allocation.base)),
        defined(allocation.defined ? allocation.defined.get() + (address - allocation.base) : nullptr) {}

  uint8_t *data;
  uint8_t *defined; ///< as many bytes, 1 for each that holds a value; null: all do
};

/// The `element.bytes()` bytes at element `index` of `pointer`. `verb` is "load", "store" or "atomic".
mlir::FailureOr<Place> locate(Machine &machine, const Step &step, const Tensor &pointer, size_t index,
                              Element element, const char *verb);

/// Returns whether an access touches element `index`; `mask` is null where there is none. Fails when the
/// mask is undefined there.
mlir::FailureOr<bool> isActive(Machine &machine, const Step &step, const Tensor *mask, size_t index);

/// The element at `place`, and whether all of it is defined.
uint64_t readElement(Place place, Element element, bool &defined);
/// Counts a change where the memory was another before.
void writeElement(Machine &machine, Place place, Element element, uint64_t bits, bool defined);

/// Returns what an atomic op of this kind makes of `old`, an element in memory.
uint64_t changedBy(tile::AtomicKind kind, Element element, uint64_t old, uint64_t value);

/// Fails where `value` is undefined at `index` and that matters.
mlir::LogicalResult checkWritten(Machine &machine, const Step &step, const Tensor &value, size_t index);

/// Makes the step's result of the elements at `pointer` where `mask` holds, and of `other` elsewhere. A null
/// `mask` holds everywhere; without `other` the elements elsewhere are undefined. `verb` is as `locate` takes
/// it.
mlir::LogicalResult readActive(Machine &machine, const Step &step, const Tensor &pointer, const Tensor *mask,
                               const Tensor *other, const char *verb);
/// Writes the elements of `value` to `pointer` where `mask` holds; a null `mask` holds everywhere.
mlir::LogicalResult writeActive(Machine &machine, const Step &step, const Tensor &pointer,
                                const Tensor &value, const Tensor *mask, const char *verb);

} // namespace tegula::interp
