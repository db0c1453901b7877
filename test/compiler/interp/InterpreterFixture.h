// Runs functions of the tile stage, written as IR, in the reference interpreter.
#pragma once

#include "compiler/interp/Interpreter.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tegula::interp {

/// Holds the outcome of a run: the message of its fault and the element, or nothing.
struct Outcome {
  std::string text, element;
  uint32_t line = 0; ///< of the fault in the IR's text
  Grid program{};
  std::string printed;
};

/// An array that a function gets as a pointer: elements of `bytes` bytes each.
struct Array {
  unsigned bytes;
  std::vector<uint64_t> elements;
  bool isDefined = true;
  std::vector<bool> defined{}; ///< filled by the run: one an element
};

/// Runs the only function of `ir`. Its arguments are pointers to `arrays`, whose elements are read back, then
/// `scalars`. A failure of the test where the IR does not parse.
Outcome run(const std::string &ir, std::vector<Array> &arrays, const std::vector<uint64_t> &scalars = {},
            Grid grid = {1, 1, 1}, Options options = {});

/// The bits that `body`, which names its value `%r`, gives for the scalars `%a`, `%b`, ... of `inputs`, all
/// of `type`; `resultType` is another integer or float type.
uint64_t evaluate(const std::string &body, const std::string &type, const std::vector<uint64_t> &inputs,
                  const std::string &resultType = {});

/// As `evaluate`: true where the value is undefined.
bool isUndefined(const std::string &body, const std::string &type, const std::vector<uint64_t> &inputs,
                 const std::string &resultType = {});

} // namespace tegula::interp
