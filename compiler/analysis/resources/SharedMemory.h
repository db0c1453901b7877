// The accountant of shared memory: what a kernel puts there, when each piece lives, and the places they get.
// The pass `allocate-shared` takes the places; plans ask how many bytes a block would take if something were
// added.
#pragma once

#include "compiler/analysis/resources/LiveRanges.h"
#include "compiler/analysis/resources/ScratchBytes.h"

#include "llvm/ADT/SetVector.h"

#include <vector>

namespace tegula {

/// In which order pieces get their places.
enum class SharedRank { Buffer, Moment, Barriers };

/// A piece of shared memory.
struct SharedPiece {
  mlir::Operation *op = nullptr; ///< that needs it; null for one that is planned
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  SharedRank rank = SharedRank::Moment; ///< what an op needs itself is needed for a moment
  LiveRange live{};
  llvm::SmallSetVector<unsigned, 4>
      apartFrom{}; ///< pieces that had better have other bytes, by their numbers
  std::optional<uint64_t> offset{};

  uint64_t end() const { return *offset + bytes; }
  bool overlaps(uint64_t begin, uint64_t size) const { return begin < end() && *offset < begin + size; }
};

/// The pieces of a kernel. A copy may be changed, to ask what then would be.
class SharedMemory {
public:
  /// Collects the pieces of `kernel` as it stands, with ranges as `order` has them.
  SharedMemory(mlir::func::FuncOp kernel, Scratches &scratches, const KernelOrder &order);

  llvm::ArrayRef<SharedPiece> all() const { return pieces; }
  /// Returns the piece that `op` needs; null where it needs none.
  SharedPiece *of(mlir::Operation *op);
  /// Adds a piece, before all others.
  SharedPiece &add(SharedPiece piece) { return *pieces.insert(pieces.begin(), std::move(piece)); }
  void drop(mlir::Operation *op);
  /// Lets buffers come in the reverse order of their text, as `make-persistent` leaves them.
  void reverseBuffers();

  /// Asks for two pieces to be apart, told by their numbers. They are where a block takes no more bytes for
  /// it, or few enough not to cost another block its place.
  void keepApart(unsigned a, unsigned b);

  /// Gives each piece its place, and returns the bytes that all programs of a block take.
  uint64_t place();

  /// The bytes that a block has; the most that any target has where none is meant.
  uint64_t available;

private:
  /// The order in which two buffers get their places: of two of one size first the one that comes first in
  /// the text, or is used first; or, of any size, the one that lives longer.
  enum class Tie { AsTheyCome, Earlier, Longer };

  void placeBy(Tie tie, bool isApart);
  uint64_t placeOf(const SharedPiece &piece, llvm::ArrayRef<const SharedPiece *> placed,
                   uint64_t limit) const;
  uint64_t bytesOf(uint64_t ofProgram) const;
  uint64_t bytes() const;

  std::vector<SharedPiece> pieces;
  uint64_t forPlacesApart; ///< that a program may use to save barriers
  unsigned programs;       ///< of a block
  bool anyApart = false;
};

} // namespace tegula
