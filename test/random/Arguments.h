// Arguments of kernels that tests write themselves.
#pragma once

#include "test/random/RandomKernel.h"

#include <string>

namespace tegula::random {

/// An array of fp32 that a kernel writes.
inline Argument sums(const std::string &name, size_t count) {
  Argument made;
  made.name = name;
  made.type = {ScalarKind::Float32, 1, {16}};
  made.isOutput = true;
  made.elements.resize(count);
  return made;
}

/// A number, of which the compiler knows nothing.
inline Argument limit(const std::string &name, uint64_t value) {
  Argument made;
  made.name = name;
  made.type = {ScalarKind::Int32, 0, {}};
  made.elements = {value};
  return made;
}

/// An array of bf16 with the numbers that have `bits` by turns, each row of 32 shifted by one against the one
/// before.
template <size_t N>
Argument numbers(const std::string &name, size_t count, const uint64_t (&bits)[N], size_t step,
                 size_t first) {
  Argument made;
  made.name = name;
  made.type = {ScalarKind::BFloat16, 1, {16}};
  for (size_t i = 0; i < count; ++i)
    made.elements.push_back(bits[(i * step + i / 32 + first) % N]);
  return made;
}

} // namespace tegula::random
