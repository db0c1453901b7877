// Subspaces over the field with two elements: a vector is the bits of a word, addition is `^`.
#pragma once

#include <cstdint>
#include <vector>

namespace tegula {

using Vectors = std::vector<uint64_t>;

/// All sums of some vectors, kept in echelon form.
class Subspace {
public:
  Subspace() = default;
  explicit Subspace(const Vectors &vectors);

  /// Returns what is left of `vector` after taking away what is inside; 0 exactly for members.
  uint64_t reduce(uint64_t vector) const;
  /// True when `vector` was not inside before.
  bool insert(uint64_t vector);
  /// Those of `vectors` that were not inside, nor made up of those before them.
  Vectors insertAll(const Vectors &vectors);

private:
  Vectors rows; ///< highest leading bit first, so that one sweep reduces fully
};

/// Sums of `vectors` whose `values` sum to zero: a basis of the kernel of the map from one to the other.
Vectors kernelOf(const Vectors &vectors, const Vectors &values);

/// Returns the intersection of the spaces of `a` and `b` modulo `modulus`: the x of a that some y of b
/// equals.
Vectors intersection(const Vectors &a, const Vectors &b, const Subspace &modulus);

} // namespace tegula
