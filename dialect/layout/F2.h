// Linear algebra over the field with two elements, for matrices of at most 64 by 64.
//
// A vector is the bits of a word, addition is `^`, and a matrix is the list of its columns.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tegula {

/// The echelon form of a matrix, kept together with how each row of it was combined, so that
/// `columns * x = target` is answered in at most 64 steps.
///
/// Columns enter one by one; a column that depends on earlier ones is never used in an answer.
/// The order of entry is thus an order of preference.
class F2Echelon {
public:
  /// Enters `column` under the number `index < 64`. True when it was independent of those before it.
  bool insert(uint64_t column, unsigned index);

  /// The set of column numbers whose sum is `target`, made of independent columns only, or nothing
  /// when `target` is not a sum of columns.
  std::optional<uint64_t> solve(uint64_t target) const;

  /// Returns how many columns were independent.
  unsigned rank() const;

private:
  /// `vectors[i]` has its highest one at bit i, or is zero; it is the sum of columns `sums[i]`.
  std::array<uint64_t, 64> vectors{};
  std::array<uint64_t, 64> sums{};
};

/// The echelon form of all `columns` (at most 64), entered from the fewest ones to the most.
///
/// \post a unit vector that is itself a column is solved by that column alone, the first if several.
F2Echelon echelonByWeight(std::span<const uint64_t> columns);

/// All sums of `vectors`, at place i that of those which the bits of i name.
std::vector<uint32_t> allSums(std::span<const uint32_t> vectors);

/// The rank of a matrix of at most 64 columns.
unsigned rankOf(std::span<const uint64_t> columns);

} // namespace tegula
