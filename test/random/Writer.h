// Writes kernels: random choices, names, lines, arguments.
#pragma once

#include "test/random/RandomKernel.h"

#include <random>

namespace tegula::random {

bool isFloat(ScalarKind type);
bool isSigned(ScalarKind type);
int bitsOf(ScalarKind type);

class Writer {
protected:
  Writer(uint64_t seed, Kind kind);

  int upTo(int count) { return int(random() % uint64_t(count)); } ///< 0 to count - 1
  bool chance(int percent) { return upTo(100) < percent; }
  template <typename T> const T &oneOf(const std::vector<T> &from) {
    return from[size_t(upTo(int(from.size())))];
  }

  std::string fresh(const char *prefix) { return prefix + std::to_string(names++); }
  void line(std::string text, std::string simpler = {}) {
    nodes->push_back({std::move(text), {}, std::move(simpler)});
  }

  /// An array without elements, whose pointer is aligned to 16 bytes but for so many percent of all. It is no
  /// argument yet.
  Argument newArray(const char *prefix, ScalarKind type, int percent);
  /// Adds `number`, rounded where it has to be, to the elements of an array.
  static void addElement(Argument &array, double number);
  static void addBits(Argument &array, uint64_t bits); ///< the lower ones
  /// Adds an array of so many elements to be written and compared.
  Argument &output(const char *prefix, ScalarKind type, int64_t count);

  std::mt19937_64 random;
  RandomKernel kernel;
  std::vector<Node> *nodes = nullptr; ///< the block that statements go to
  int names = 0;
};

} // namespace tegula::random
