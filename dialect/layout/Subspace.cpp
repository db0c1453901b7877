#include "dialect/layout/Subspace.h"

#include <algorithm>
#include <functional>

namespace tegula {

Subspace::Subspace(const Vectors &vectors) {
  for (uint64_t vector : vectors)
    insert(vector);
}

uint64_t Subspace::reduce(uint64_t vector) const {
  for (uint64_t row : rows)
    vector = std::min(vector, vector ^ row);
  return vector;
}

bool Subspace::insert(uint64_t vector) {
  vector = reduce(vector);
  if (!vector)
    return false;
  rows.insert(std::upper_bound(rows.begin(), rows.end(), vector, std::greater<>()), vector);
  return true;
}

Vectors Subspace::insertAll(const Vectors &vectors) {
  Vectors fresh;
  for (uint64_t vector : vectors)
    if (insert(vector))
      fresh.push_back(vector);
  return fresh;
}

Vectors kernelOf(const Vectors &vectors, const Vectors &values) {
  struct Row {
    uint64_t value, vector;
  };
  std::vector<Row> rows; // highest leading bit of the value first
  Vectors kernel;
  for (size_t i = 0; i < vectors.size(); ++i) {
    Row row{values[i], vectors[i]};
    for (const Row &other : rows)
      if ((row.value ^ other.value) < row.value)
        row = {row.value ^ other.value, row.vector ^ other.vector};
    if (!row.value) {
      kernel.push_back(row.vector);
      continue;
    }
    auto place = std::upper_bound(rows.begin(), rows.end(), row,
                                  [](const Row &x, const Row &y) { return x.value > y.value; });
    rows.insert(place, row);
  }
  return kernel;
}

Vectors intersection(const Vectors &a, const Vectors &b, const Subspace &modulus) {
  Vectors vectors, values;
  for (uint64_t vector : b) {
    vectors.push_back(0);
    values.push_back(modulus.reduce(vector));
  }
  for (uint64_t vector : a) {
    vectors.push_back(vector);
    values.push_back(modulus.reduce(vector));
  }
  return kernelOf(vectors, values);
}

} // namespace tegula
