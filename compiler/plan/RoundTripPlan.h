// Plans of how registers get to a given place in shared memory and back: which instructions, at which
// addresses. Pure data, no IR.
//
// Everything follows from one map, register, lane and warp to byte offset: the registers' layout followed by
// the inverse of the memory's. The address of a thread's instruction is the exclusive or of the parts of the
// thread's number and of the registers.
#pragma once

#include "compiler/plan/AccessPlan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tegula {

/// One side of a round trip through shared memory, for one thread.
struct SharedAccess {
  /// The thread's own elements at its address, or matrices (see MatrixAccess.h): then the thread's number
  /// means the row whose address it gives.
  enum Kind { Vectors, Matrices, TransposedMatrices } kind = Vectors;
  unsigned elements = 1;                      ///< that a thread has in one access
  std::vector<std::vector<uint32_t>> vectors; ///< registers of each access, in the order of words
  std::vector<uint32_t> offsets;              ///< bytes of each access, xored with the thread's part
  std::vector<uint32_t> threadOffsets;        ///< bytes that each bit of the thread's number means
  /// The bytes that each bit of a position of run time means, xored likewise; empty where there is none.
  std::vector<uint32_t> positionOffsets;
  /// Thread bits that must be 0 for a store to be made (0: all threads make it).
  uint32_t copyBits = 0;
  /// The register (of an access) that holds the same element, by register.
  std::vector<uint32_t> original;
};

/// The instructions that one access may be made of.
enum class SharedMove : uint8_t {
  Vectors,
  LoadMatrices,  ///< or `ldmatrix`
  StoreMatrices, ///< or `stmatrix`
};

/// The instructions on matrices that a round trip may use.
struct MatrixMoves {
  bool load = true;   ///< ldmatrix
  bool store = false; ///< stmatrix
};

/// The place of a part of a tensor in memory: it begins at `start`, a multiple of its side along each axis
/// (empty: at 0), and, if `stride` is not 0, a number of strides farther along `axis` that is known at run
/// time. The stride is a power of two that divides the memory's side, and `start` and the part are inside the
/// first one.
struct PartPlace {
  std::span<const int32_t> start = {};
  unsigned axis = 0;
  int32_t stride = 0;
};

/// Plans the access of the registers of `layout` to memory laid out by `memory`, `offset` in elements of
/// `elementBytes` (1, 2, 4, 8) to axes. The tensor of `layout` is the part of the memory's that `part` says.
/// Of vectors of each width and matrices, as far as `move` allows them, those are taken that keep the memory
/// busy for the shortest time.
SharedAccess planSharedAccess(const LinearLayout &memory, const LinearLayout &layout, const PartPlace &part,
                              unsigned threadBits, unsigned elementBytes, SharedMove move);

/// Plans copies from global memory by a layout of pointers: elements come in groups as for `planAccess`, and
/// each copy is contiguous in both memories. `global` receives how the registers of pointers are cut.
/// \post `global.elements == access.elements`, which may be 1 where the memories do not agree.
SharedAccess planCopy(const LinearLayout &memory, const LinearLayout &layout,
                      std::span<const unsigned> contiguous, unsigned threadBits, unsigned elementBytes,
                      AccessPlan &global);

/// Returns how often one access of a warp keeps the memory busy: 1 for every `WavefrontBytes` where there are
/// no bank conflicts.
unsigned wavefrontsOf(const SharedAccess &access, unsigned elementBytes);

/// The part of a tensor that goes through memory at a time: threads have all of its elements in the same
/// registers.
struct RoundTripPart {
  std::vector<uint32_t> stored; ///< the tensor's register for each that is stored
  std::vector<std::pair<uint32_t, uint32_t>>
      results; ///< a register of the new layout, and the loaded one that it is
};

/// A change of layout through shared memory.
struct RoundTripPlan {
  uint32_t bytes = 0;
  SharedAccess store, load;         ///< of all registers, or of those of each part
  std::vector<RoundTripPart> parts; ///< one after the other, each in place of the one before; empty: none
  bool withinWarp = false;          ///< no element crosses between warps: a warp's barrier is enough
};

/// Takes as much memory as the whole tensor.
inline constexpr uint32_t AnyBytes = ~uint32_t(0);

/// Plans the round trip from one layout to another of the same tensor, by the memory map that suits both.
/// What takes
/// more than `mostBytes` goes in parts, as far as registers alone, and not threads, tell parts of the tensor
/// apart in both layouts.
RoundTripPlan planRoundTrip(const LinearLayout &from, const LinearLayout &to, unsigned threadBits,
                            unsigned elementBytes, MatrixMoves moves = {}, uint32_t mostBytes = AnyBytes);

} // namespace tegula
