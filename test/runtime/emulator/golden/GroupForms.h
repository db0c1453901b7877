// The forms of wgmma that are recorded on a real GPU and replayed on the emulator. Where elements lie in
// shared memory is written out here after the drawings of the PTX manual, apart from what the emulator reads
// by.
#pragma once

#include "test/runtime/emulator/golden/MatrixForms.h"

namespace tegula::golden {

/// One product of 64 x `n` by `steps` instructions, 32 bytes of K each.
struct GroupForm {
  unsigned n = 8;
  std::string a, b, sum; ///< element types
  unsigned steps = 1;    ///< instructions, one after the other along K
  unsigned span = 32;    ///< bytes of a swizzle; 16: none
  bool kContiguousA = true, kContiguousB = true;
  bool aInRegisters = false;
  bool addsC = true; ///< else the first instruction has scale-d 0

  /// Elements of K of an instruction, and of all.
  unsigned depth() const { return 256 / elementBits(a); }
  unsigned k() const { return depth() * steps; }
  std::string text() const;
  friend void PrintTo(const GroupForm &form, std::ostream *out) { *out << form.text(); }
};

/// Rows of D that are recorded: those of the first warp, as the others are computed alike.
inline constexpr unsigned recordedRows = 16;

/// Every pair of element types with every sum, one instruction: what is recorded with all patterns.
std::vector<GroupForm> groupTypes();
/// Every way that operands may lie and columns may be: for small integers, whose products are exact.
std::vector<GroupForm> groupLayouts();

/// Bits of A (64 x K), B (K x n), C (64 x n), row by row, as `matricesFor` makes them.
Matrices groupMatricesFor(const GroupForm &form, Pattern pattern);
/// Small integers as elements of the form's types.
Matrices integersFor(const GroupForm &form);
/// Replaces elements as `scatterSpecials` does for `mma.sync`.
void scatterSpecials(Matrices &operands, const GroupForm &form, unsigned round);
/// The exact product of small integers, plus C where the form adds it, as bits of sums.
std::vector<uint64_t> exactProduct(const GroupForm &form, const Matrices &operands);

/// Executes the form on each of `operands`, one block of four warps each; the bits of each D, row by row.
runtime::Result<std::vector<std::vector<uint64_t>>>
multiplyInGroup(runtime::Device &device, const GroupForm &form, const std::vector<Matrices> &operands);

} // namespace tegula::golden
