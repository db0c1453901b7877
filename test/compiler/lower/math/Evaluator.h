// Runs what `expand-math` leaves of one `math` op, a number at a time, with exact IEEE arithmetic.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tegula::test {

/// Says by how much the hardware's approximate instructions err in this evaluation: by as much as the PTX
/// manual allows, up or down depending on the operand, or not at all.
enum class Approximation { Exact, Worst };

/// A straight-line program over 64-bit registers that hold the bits of floats and integers.
class Evaluator {
public:
  /// `text` is an op on %x (and %y) such as "%r = math.sin %x : f32". The types are those of %x, %y and %r:
  /// scalars, or tensors of one element.
  /// Empty if the text does not parse, does not expand or leaves an op that has no meaning here; `error()`
  /// says which.
  Evaluator(const std::string &text, const std::vector<std::string> &argumentTypes, const std::string &resultType);

  bool valid() const { return problem.empty(); }
  const std::string &error() const { return problem; }
  /// Returns the number of instructions, not counting constants.
  size_t size() const { return instructions; }

  uint64_t run(const std::vector<uint64_t> &arguments, Approximation approximation) const;

  /// One instruction: reads registers, writes one or more.
  using Step = std::function<void(uint64_t *, Approximation)>;

private:
  std::string problem;
  std::vector<uint64_t> initial;
  std::vector<Step> code;
  size_t instructions = 0;
  unsigned argumentCount = 0;
  unsigned result = 0;
};

} // namespace tegula::test
