// Random layouts for property tests, the same ones in every run.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <random>

namespace tegula::testing {

inline unsigned pick(std::mt19937_64 &random, unsigned below) { return unsigned(random() % below); }

/// Axes of 0 to `maxBits` bits each.
inline std::vector<DimBits> randomDims(std::mt19937_64 &random, std::vector<Dim> dims, unsigned maxBits) {
  std::vector<DimBits> result;
  for (Dim dim : dims)
    result.push_back({dim, pick(random, maxBits + 1)});
  return result;
}

inline unsigned bitsIn(const std::vector<DimBits> &dims) {
  unsigned bits = 0;
  for (const DimBits &dim : dims)
    bits += dim.bits;
  return bits;
}

/// Any matrix, with many zero, unit and repeated columns so that every rank occurs.
inline LinearLayout randomLayout(std::mt19937_64 &random, std::vector<DimBits> ins,
                                 std::vector<DimBits> outs) {
  unsigned rows = bitsIn(outs);
  std::vector<uint64_t> columns;
  for (unsigned i = 0; i < bitsIn(ins); ++i) {
    uint64_t column = random() & ((uint64_t(1) << rows) - 1);
    switch (pick(random, 5)) {
    case 0:
      column = 0;
      break;
    case 1:
    case 2:
      column = rows ? uint64_t(1) << pick(random, rows) : 0;
      break;
    case 3:
      column = columns.empty() ? column : columns[pick(random, unsigned(columns.size()))];
      break;
    default:
      break;
    }
    columns.push_back(column);
  }
  return LinearLayout::fromColumns(std::move(ins), std::move(outs), std::move(columns));
}

/// An invertible matrix: the identity after random column additions and swaps.
inline LinearLayout randomInvertible(std::mt19937_64 &random, std::vector<DimBits> ins,
                                     std::vector<DimBits> outs) {
  unsigned bits = bitsIn(ins);
  std::vector<uint64_t> columns;
  for (unsigned i = 0; i < bits; ++i)
    columns.push_back(uint64_t(1) << i);
  for (unsigned step = 0; bits > 1 && step < 3 * bits; ++step) {
    unsigned a = pick(random, bits), b = pick(random, bits);
    if (a == b)
      continue;
    if (pick(random, 2))
      std::swap(columns[a], columns[b]);
    else
      columns[a] ^= columns[b];
  }
  return LinearLayout::fromColumns(std::move(ins), std::move(outs), std::move(columns));
}

inline std::vector<Dim> hardwareDims() { return {Dim::Register, Dim::Lane, Dim::Warp}; }
inline std::vector<Dim> tensorDims2() { return {Dim::Dim0, Dim::Dim1}; }

} // namespace tegula::testing
