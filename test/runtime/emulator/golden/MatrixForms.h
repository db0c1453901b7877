// The forms of mma.sync that are recorded on a real GPU and replayed on the emulator, with the layout of
// their operands in the registers of a warp as the tables of the PTX manual give it, written out shape by
// shape.
#pragma once

#include "runtime/device/Device.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace tegula::golden {

/// One form of mma.sync: an M x 8 x K product.
struct MatrixForm {
  unsigned m, k;
  std::string a, b, sum; ///< element types
  std::string modifiers; ///< between `.col` and the types: ".satfinite", ".rz", ".kind::f8f6f4"

  std::string text() const;
  /// For test names.
  friend void PrintTo(const MatrixForm &form, std::ostream *out) { *out << form.text(); }
};

/// Every form; `recorded` leaves out those that the recording's GPU does not have.
std::vector<MatrixForm> matrixForms(bool recorded);

/// Bits of matrices, row by row: A is M x K, B is K x 8, C is M x 8.
struct Matrices {
  std::vector<uint64_t> a, b, c;
};

/// Operands of a recording; each form is recorded once with each.
enum class Pattern { NearOne, Wide, Subnormal, Special, RandomBits, Accumulator, Cancel, Overflow, Zeros };
inline constexpr unsigned patternCount = 9;
const char *nameOf(Pattern pattern);

/// A pure function of the form and the pattern, so that a recording holds results only.
Matrices matricesFor(const MatrixForm &form, Pattern pattern);

/// Replaces an element of A, B or C here and there by a NaN, an infinity, a zero or a subnormal number of
/// either sign; each `round` other ones. Integers stay as they are.
void scatterSpecials(Matrices &matrices, const MatrixForm &form, unsigned round);

/// Bits of an element in a register: 8, 16, 32 or 64.
unsigned elementBits(const std::string &type);
/// The value of an element, by the definition of its format.
double decodeElement(const std::string &type, uint64_t bits);

/// Executes the form on each of `operands`, one warp each; the bits of each D, row by row.
runtime::Result<std::vector<std::vector<uint64_t>>> multiply(runtime::Device &device, const MatrixForm &form,
                                                             const std::vector<Matrices> &operands);

} // namespace tegula::golden
