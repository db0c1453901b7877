#include "dialect/layout/F2.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>
#include <utility>

namespace tegula {

static unsigned highestBit(uint64_t word) { return unsigned(std::bit_width(word)) - 1; }

bool F2Echelon::insert(uint64_t column, unsigned index) {
  assert(index < 64);
  uint64_t sum = uint64_t(1) << index;
  while (column) {
    unsigned top = highestBit(column);
    if (!vectors[top]) {
      vectors[top] = column;
      sums[top] = sum;
      return true;
    }
    column ^= vectors[top];
    sum ^= sums[top];
  }
  return false;
}

std::optional<uint64_t> F2Echelon::solve(uint64_t target) const {
  uint64_t sum = 0;
  while (target) {
    unsigned top = highestBit(target);
    if (!vectors[top])
      return std::nullopt;
    target ^= vectors[top];
    sum ^= sums[top];
  }
  return sum;
}

unsigned F2Echelon::rank() const {
  return unsigned(std::count_if(vectors.begin(), vectors.end(), [](uint64_t vector) { return vector != 0; }));
}

F2Echelon echelonByWeight(std::span<const uint64_t> columns) {
  assert(columns.size() <= 64);
  std::array<unsigned, 64> order;
  auto end = order.begin() + ptrdiff_t(columns.size());
  std::iota(order.begin(), end, 0u);
  std::sort(order.begin(), end, [&](unsigned a, unsigned b) {
    return std::pair(std::popcount(columns[a]), a) < std::pair(std::popcount(columns[b]), b);
  });
  F2Echelon echelon;
  for (auto it = order.begin(); it != end; ++it)
    echelon.insert(columns[*it], *it);
  return echelon;
}

std::vector<uint32_t> allSums(std::span<const uint32_t> vectors) {
  std::vector<uint32_t> sums{0};
  for (uint32_t vector : vectors)
    for (size_t i = 0, half = sums.size(); i < half; ++i)
      sums.push_back(sums[i] ^ vector);
  return sums;
}

unsigned rankOf(std::span<const uint64_t> columns) { return echelonByWeight(columns).rank(); }

} // namespace tegula
