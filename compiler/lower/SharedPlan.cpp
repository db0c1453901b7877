// The trip through shared memory: see ConversionPlan.h for the idea.
#include "compiler/lower/ConversionPlan.h"
#include "dialect/layout/F2.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tegula {
namespace {

/// A subspace of positions, kept as vectors in echelon form.
class Subspace {
public:
  /// What is left of `vector` after taking away what is inside; 0 exactly for members.
  uint64_t reduce(uint64_t vector) const {
    for (uint64_t row : rows)
      vector = std::min(vector, vector ^ row);
    return vector;
  }
  /// True when `vector` was not inside before.
  bool insert(uint64_t vector) {
    vector = reduce(vector);
    if (!vector)
      return false;
    rows.insert(std::upper_bound(rows.begin(), rows.end(), vector, std::greater<>()), vector);
    return true;
  }

private:
  std::vector<uint64_t> rows; ///< highest leading bit first, so that one sweep reduces fully
};

using Vectors = std::vector<uint64_t>;

/// A basis of what `a` and `b` (both independent) have in common modulo `modulus`. Zassenhaus: of the
/// rows (a, a) and (b, 0), the combinations with a zero first half have the intersection in the second.
Vectors intersection(const Vectors &a, const Vectors &b, const Subspace &modulus) {
  struct Row {
    uint64_t first, second;
  };
  std::vector<Row> reduced;
  Vectors common;
  auto add = [&](Row row) {
    for (const Row &other : reduced)
      if (std::min(row.first, row.first ^ other.first) != row.first)
        row = {row.first ^ other.first, row.second ^ other.second};
    if (row.first) {
      auto place = std::upper_bound(reduced.begin(), reduced.end(), row,
                                    [](const Row &x, const Row &y) { return x.first > y.first; });
      reduced.insert(place, row);
    } else if (row.second) {
      common.push_back(row.second);
    }
  };
  for (uint64_t vector : a)
    add({modulus.reduce(vector), modulus.reduce(vector)});
  for (uint64_t vector : b)
    add({modulus.reduce(vector), 0});
  return common;
}

/// What one side brings: its independent register columns and the columns of its lanes.
struct Side {
  Vectors registers, lanes, threads;
};

Side sideOf(const LinearLayout &layout, unsigned threadBits) {
  Side side;
  Subspace seen;
  for (unsigned bit = 0; bit < layout.inBits(Dim::Register); ++bit)
    if (seen.insert(layout.column(Dim::Register, bit)))
      side.registers.push_back(layout.column(Dim::Register, bit));
  side.threads = threadColumns(layout, threadBits);
  side.lanes.assign(side.threads.begin(), side.threads.begin() + LaneBits);
  return side;
}

/// How elements are grouped: `common` first (both sides), then what only the wide side has.
struct VectorChoice {
  Vectors vector;
  unsigned storeBits = 0, loadBits = 0; ///< how many of `vector` each side moves at once
};

VectorChoice chooseVector(const Side &store, const Side &load, unsigned maxBits) {
  VectorChoice choice;
  for (uint64_t column : store.registers)
    if (choice.vector.size() < maxBits &&
        std::find(load.registers.begin(), load.registers.end(), column) != load.registers.end())
      choice.vector.push_back(column);
  unsigned common = unsigned(choice.vector.size());
  choice.storeBits = choice.loadBits = common;
  // One side may be wider still. Each is worth what it saves in accesses.
  unsigned storeMore = std::min<unsigned>(maxBits, store.registers.size()) - common;
  unsigned loadMore = std::min<unsigned>(maxBits, load.registers.size()) - common;
  auto accesses = [](const Side &side, unsigned bits) {
    return size_t(1) << (side.registers.size() - bits);
  };
  size_t wideStore = accesses(store, common + storeMore) + accesses(load, common);
  size_t wideLoad = accesses(store, common) + accesses(load, common + loadMore);
  bool storeWins = wideStore <= wideLoad;
  const Side &wide = storeWins ? store : load;
  (storeWins ? choice.storeBits : choice.loadBits) += storeWins ? storeMore : loadMore;
  unsigned size = std::max(choice.storeBits, choice.loadBits);
  for (uint64_t column : wide.registers)
    if (choice.vector.size() < size &&
        std::find(choice.vector.begin(), choice.vector.end(), column) == choice.vector.end())
      choice.vector.push_back(column);
  return choice;
}

/// Lanes that one wavefront of 128 bytes serves, in bits, for accesses of `bytes`.
unsigned wavefrontBits(unsigned bytes) {
  return bytes <= 4 ? LaneBits : LaneBits + 2 - unsigned(std::bit_width(bytes) - 1);
}

/// An independent set, modulo `word`, of the positions that one wavefront touches.
Vectors wavefront(const Side &side, const Vectors &vector, unsigned vectorBits, unsigned elementBytes,
                  const Subspace &word) {
  Subspace seen = word;
  Vectors result;
  for (unsigned i = 0; i < vectorBits; ++i)
    if (seen.insert(vector[i]))
      result.push_back(vector[i]);
  for (unsigned i = 0; i < wavefrontBits(elementBytes << vectorBits); ++i)
    if (seen.insert(side.lanes[i]))
      result.push_back(side.lanes[i]);
  return result;
}

/// The segment subspace S of the header: candidates, best first.
Vectors segmentCandidates(const Vectors &a, const Vectors &b, const Subspace &word, unsigned bits) {
  Vectors common = intersection(a, b, word);
  auto rest = [&](const Vectors &side) {
    Subspace seen = word;
    for (uint64_t vector : common)
      seen.insert(vector);
    Vectors more;
    for (uint64_t vector : side)
      if (seen.insert(vector))
        more.push_back(vector);
    return more;
  };
  Vectors onlyA = rest(a), onlyB = rest(b), result;
  Subspace both = word;
  for (const Vectors *side : {&a, &b})
    for (uint64_t vector : *side)
      both.insert(vector);
  for (unsigned bit = 0; bit < bits; ++bit)
    if (both.insert(uint64_t(1) << bit))
      result.push_back(uint64_t(1) << bit);
  for (size_t i = 0; i < std::min(onlyA.size(), onlyB.size()); ++i)
    result.push_back(onlyA[i] ^ onlyB[i]);
  return result;
}

/// The positions that the bits of an element offset stand for, low bits first.
Vectors memoryBasis(const Side &store, const Side &load, const VectorChoice &choice,
                    unsigned elementBytes, unsigned bits) {
  unsigned wordBits = elementBytes < 4 ? unsigned(std::bit_width(4 / elementBytes) - 1) : 0;
  unsigned bankBits = elementBytes > 4 ? 4 : 5;
  Vectors basis = choice.vector;
  Subspace used;
  for (uint64_t vector : basis)
    used.insert(vector);
  auto fill = [&](size_t size, const Vectors &from) {
    for (uint64_t vector : from)
      if (basis.size() < size && used.insert(vector))
        basis.push_back(vector);
  };
  Vectors units;
  for (unsigned bit = 0; bit < bits; ++bit)
    units.push_back(uint64_t(1) << bit);
  // A 4-byte word that no vector fills is shared by neighbouring lanes.
  size_t wordSize = std::min<size_t>(bits, wordBits);
  fill(wordSize, store.lanes);
  fill(wordSize, load.lanes);
  fill(wordSize, units);
  Subspace word;
  for (size_t i = 0; i < wordSize; ++i)
    word.insert(basis[i]);

  Vectors a = wavefront(store, choice.vector, choice.storeBits, elementBytes, word);
  Vectors b = wavefront(load, choice.vector, choice.loadBits, elementBytes, word);
  Vectors candidates = segmentCandidates(a, b, word, bits);
  size_t rowSize = std::min<size_t>(bits, wordBits + bankBits);
  Vectors segment(candidates.begin(), candidates.begin() + (bits - rowSize));
  for (uint64_t vector : segment)
    used.insert(vector);
  fill(rowSize, a);
  fill(rowSize, b);
  fill(rowSize, units);
  basis.insert(basis.end(), segment.begin(), segment.end());
  assert(basis.size() == bits);
  return basis;
}

/// Positions to byte offsets: the inverse of the basis.
class OffsetMap {
public:
  OffsetMap(const Vectors &basis, unsigned elementBytes) : scale(elementBytes) {
    F2Echelon echelon;
    for (unsigned i = 0; i < basis.size(); ++i)
      echelon.insert(basis[i], i);
    for (unsigned bit = 0; bit < basis.size(); ++bit)
      units.push_back(*echelon.solve(uint64_t(1) << bit));
  }
  uint32_t bytes(uint64_t position) const {
    uint64_t offset = 0;
    for (unsigned bit = 0; bit < units.size(); ++bit)
      if (position >> bit & 1)
        offset ^= units[bit];
    return uint32_t(offset * scale);
  }

private:
  Vectors units;
  unsigned scale;
};

SharedAccess accessOf(const LinearLayout &layout, const Side &side, const Vectors &vector,
                      unsigned vectorBits, const OffsetMap &offsets) {
  SharedAccess access;
  access.elements = 1u << vectorBits;
  std::vector<uint64_t> positions = registerPositions(layout);
  // The register bits that make up each bit of a vector; a position seen before is a copy.
  std::vector<uint32_t> steps;
  for (unsigned i = 0; i < vectorBits; ++i)
    for (unsigned bit = 0; bit < layout.inBits(Dim::Register); ++bit)
      if (layout.column(Dim::Register, bit) == vector[i]) {
        steps.push_back(1u << bit);
        break;
      }
  uint32_t stepMask = 0;
  for (uint32_t step : steps)
    stepMask |= step;
  Subspace seen;
  uint32_t copies = 0;
  for (unsigned bit = 0; bit < layout.inBits(Dim::Register); ++bit)
    if (!seen.insert(layout.column(Dim::Register, bit)))
      copies |= 1u << bit;
  for (uint32_t reg = 0; reg < positions.size(); ++reg) {
    if (reg & (stepMask | copies))
      continue;
    std::vector<uint32_t> members;
    for (unsigned element = 0; element < access.elements; ++element) {
      uint32_t member = reg;
      for (unsigned bit = 0; bit < vectorBits; ++bit)
        if (element >> bit & 1)
          member |= steps[bit];
      members.push_back(member);
    }
    access.vectors.push_back(std::move(members));
    access.offsets.push_back(offsets.bytes(positions[reg]));
  }
  for (uint64_t column : side.threads)
    access.threadOffsets.push_back(offsets.bytes(column));
  return access;
}

} // namespace

SharedPlan planShared(const LinearLayout &from, const LinearLayout &to, unsigned threadBits,
                      unsigned elementBytes) {
  std::vector<Dim> outs;
  for (DimBits out : from.outs())
    outs.push_back(out.dim);
  LinearLayout target = to.transposeOuts(outs);
  unsigned bits = from.totalOutBits();
  Side store = sideOf(from, threadBits), load = sideOf(target, threadBits);
  unsigned maxVector = unsigned(std::bit_width(MaxVectorBits / 8 / elementBytes) - 1);
  VectorChoice choice = chooseVector(store, load, maxVector);
  OffsetMap offsets(memoryBasis(store, load, choice, elementBytes, bits), elementBytes);

  SharedPlan plan;
  plan.bytes = elementBytes << bits;
  plan.store = accessOf(from, store, choice.vector, choice.storeBits, offsets);
  plan.load = accessOf(target, load, choice.vector, choice.loadBits, offsets);
  AccessPlan copies = planAccess(from, threadBits, {}, 8 * elementBytes);
  plan.store.copyBits = copies.copyBits;
  plan.original = planAccess(target, threadBits, {}, 8 * elementBytes).original;
  return plan;
}

} // namespace tegula
