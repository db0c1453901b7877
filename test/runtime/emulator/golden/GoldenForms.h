// The instruction forms whose results are recorded on a real GPU and replayed on the emulator.
//
// A form is one instruction with typed operands. Its test vectors are a pure function of the form's
// text, so that a recording holds results only.
#pragma once

#include "runtime/device/Device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tegula::golden {

/// One instruction form. `code` names its operands `$a`, `$b`, `$c` and its result `$d`.
struct Form {
  std::string code;
  std::vector<std::string> inputs; ///< PTX types without the dot: "f32", "s16", "pred"
  std::string output;
  /// Largest distance of the emulator from the recording, in units in the last place: 0 except for the
  /// approximate functions, which the PTX manual bounds but does not define.
  uint32_t ulps = 0;
};

/// Vectors of each form.
inline constexpr uint32_t vectorsPerForm = 64;

/// Every form, in a fixed order.
std::vector<Form> allForms();

/// Operand `operand` (0, 1, 2) of vector `index`, as raw bits.
uint64_t inputBits(const Form &form, uint32_t operand, uint32_t index);

/// A kernel that applies `form` to all its vectors: parameters are the addresses of inputs (three
/// 8-byte words a vector) and of results (one).
KernelImage kernelFor(const Form &form, const std::string &target);

/// Runs `form` on `device`: one result word a vector, raw bits without the unused upper ones.
runtime::Result<std::vector<uint64_t>> runForm(runtime::Device &device, const Form &form);

/// Distance of two results in units in the last place; 0 for equal bits and for two NaNs of an
/// approximate form, a huge number where one is NaN or the signs differ away from zero.
uint64_t distance(const Form &form, uint64_t a, uint64_t b);

} // namespace tegula::golden
