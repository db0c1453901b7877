// A value that is guessed for a parameter, and those that are as good.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <string>
#include <utility>
#include <vector>

namespace tegula::guess {

/// A value for a parameter, as a KernelSpec has it.
struct Choice {
  ArgSpec value;
  /// Parameters that a launch passes besides, of a descriptor or a tuple: `a.base`.
  std::vector<std::pair<std::string, ArgSpec>> parts = {};
};

/// A guess, and what else it may be.
struct Guess {
  Choice choice;
  std::vector<Choice> others;  ///< the likeliest first
  bool isFloatPointer = false; ///< to floats, of which kind the text does not say
};

} // namespace tegula::guess
