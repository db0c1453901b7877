// Kernels that a test writes line by line, of choices that a seed makes.
#pragma once

#include "test/random/RandomKernel.h"

#include <initializer_list>
#include <random>
#include <string>

namespace tegula::random {

/// A kernel in the making.
class WrittenKernel {
public:
  explicit WrittenKernel(uint64_t seed) : random(seed) { kernel.seed = seed; }

protected:
  template <typename T> T oneOf(std::initializer_list<T> choices) {
    return choices.begin()[random() % choices.size()];
  }
  std::string oneOf(std::initializer_list<const char *> choices) {
    return choices.begin()[random() % choices.size()];
  }
  void line(const std::string &text) { kernel.body.push_back({text, {}, {}}); }

  /// Adds an argument of which what is true is known, or half of it.
  void number(const char *name, int value) {
    Argument made{name, {ScalarKind::Int32}};
    made.type.facts = {value % 16 == 0 ? 16u : 1u, value >= 0 && random() % 2 == 0};
    made.elements = {uint32_t(value)};
    kernel.arguments.push_back(made);
  }

  std::mt19937_64 random;
  RandomKernel kernel;
};

} // namespace tegula::random
