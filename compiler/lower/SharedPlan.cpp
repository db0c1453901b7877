// The trip through shared memory: see ConversionPlan.h for the idea.
//
// Vectors make it a little more than that. Let V be what one access of a thread covers, and phi(x) the V
// part of a position x, its low offset bits. Accesses are aligned where phi is zero on the positions of
// all threads of a side. Everything else is decided among the positions R where phi vanishes: there the
// segment subspace S must meet neither side. The side that moves less than V at once loses from its
// wavefront what phi takes out of it; if that is too little, V is too wide to be free of conflicts.
#include "compiler/lower/ConversionPlan.h"
#include "dialect/layout/F2.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tegula {
namespace {

using Vectors = std::vector<uint64_t>;

/// A subspace of positions, kept as vectors in echelon form.
class Subspace {
public:
  Subspace() = default;
  explicit Subspace(const Vectors &vectors) {
    for (uint64_t vector : vectors)
      insert(vector);
  }
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
  /// Those of `vectors` that were not inside, nor made up of those before them.
  Vectors insertAll(const Vectors &vectors) {
    Vectors fresh;
    for (uint64_t vector : vectors)
      if (insert(vector))
        fresh.push_back(vector);
    return fresh;
  }

private:
  Vectors rows; ///< highest leading bit first, so that one sweep reduces fully
};

/// Sums of `vectors` whose `values` sum to zero: a basis of the kernel of the map from one to the other.
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

/// What spaces `a` and `b` have in common modulo `modulus`: the x of a that some y of b equals.
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

/// What one side brings.
struct Side {
  Vectors registers; ///< independent columns
  Vectors threads;   ///< columns of the thread's number, lanes first
};

Side sideOf(const LinearLayout &layout, unsigned threadBits) {
  Side side;
  Subspace seen;
  for (unsigned bit = 0; bit < layout.inBits(Dim::Register); ++bit)
    if (seen.insert(layout.column(Dim::Register, bit)))
      side.registers.push_back(layout.column(Dim::Register, bit));
  side.threads = threadColumns(layout, threadBits);
  return side;
}

/// Lanes that one wavefront of 128 bytes serves, in bits, for accesses of `bytes`.
unsigned wavefrontBits(unsigned bytes) {
  return bytes <= 4 ? LaneBits : LaneBits + 2 - unsigned(std::bit_width(bytes) - 1);
}

Vectors firstOf(const Vectors &vectors, size_t count) {
  return Vectors(vectors.begin(), vectors.begin() + std::min(count, vectors.size()));
}

/// One way to lay the tensor out: V is `vector`, all of which the wide side moves at once, and the first
/// `narrowBits` of which the narrow side does.
struct Attempt {
  Vectors vector;
  unsigned narrowBits = 0;
  bool storeIsWide = true;
  size_t accesses = 0; ///< of one thread, both ways
};

class MemoryMap {
public:
  MemoryMap(const Side &wide, const Side &narrow, const Attempt &attempt, unsigned elementBytes,
            unsigned bits)
      : wide(wide), narrow(narrow), attempt(attempt), elementBytes(elementBytes), bits(bits),
        wordBits(std::min(bits, elementBytes < 4 ? unsigned(std::bit_width(4 / elementBytes) - 1) : 0)) {
    split();
    layOut();
  }

  /// The positions that the bits of an element offset stand for, low bits first.
  Vectors basis;
  bool hasConflicts = false;

private:
  /// Makes phi, giving each vector its V part, and R.
  void split() {
    for (uint64_t vector : attempt.vector)
      assign(vector, vector);
    for (uint64_t column : wide.threads)
      assign(column, 0);
    // The narrow side's lanes may take over what only the wide side has in V: the more, the better.
    Vectors extra(attempt.vector.begin() + attempt.narrowBits, attempt.vector.end());
    Subspace covered;
    for (uint64_t lane : narrowLanes()) {
      uint64_t value = 0;
      for (uint64_t vector : extra)
        if (!value && covered.reduce(vector))
          value = vector;
      covered.insert(assign(lane, value) ? value : partInV(lane));
    }
    for (uint64_t column : narrow.threads)
      assign(column, 0);
    for (unsigned bit = 0; bit < bits; ++bit)
      assign(uint64_t(1) << bit, 0);
  }

  bool assign(uint64_t vector, uint64_t value) {
    if (!generators.insert(vector, unsigned(values.size())))
      return false;
    values.push_back(value);
    if (vector != value)
      outside.push_back(vector ^ value);
    return true;
  }

  /// phi.
  uint64_t partInV(uint64_t vector) const {
    uint64_t used = *generators.solve(vector), part = 0;
    for (size_t i = 0; i < values.size(); ++i)
      part ^= used >> i & 1 ? values[i] : 0;
    return part;
  }

  Vectors narrowLanes() const {
    return firstOf(narrow.threads, wavefrontBits(elementBytes << attempt.narrowBits));
  }

  void layOut() {
    basis = attempt.vector;
    // A 4-byte word that V does not fill is shared by neighbouring lanes.
    Subspace word;
    const Vectors &others = outside;
    for (const Vectors *from : {&wide.threads, &narrow.threads, &others})
      for (uint64_t vector : *from)
        if (uint64_t rest = vector ^ partInV(vector); basis.size() < wordBits && word.insert(rest))
          basis.push_back(rest);

    Subspace seen = word;
    Vectors a = seen.insertAll(firstOf(wide.threads, wavefrontBits(elementBytes << attempt.vector.size())));
    Vectors b = narrowWavefront(word);
    unsigned bankBits = elementBytes > 4 ? 4 : 5;
    size_t rowSize = std::min<size_t>(bits, wordBits + bankBits);
    Vectors segment = segmentCandidates(a, b, word);
    hasConflicts = segment.size() < bits - rowSize;
    segment.resize(std::min(segment.size(), bits - rowSize));

    Subspace used = word;
    used.insertAll(segment);
    for (const Vectors *from : {&std::as_const(a), &std::as_const(b), &others})
      for (uint64_t vector : *from)
        if (basis.size() < bits - segment.size() && used.insert(vector))
          basis.push_back(vector);
    basis.insert(basis.end(), segment.begin(), segment.end());
  }

  /// What the narrow side's wavefront leaves in R: sums whose V part lies within one word.
  Vectors narrowWavefront(const Subspace &word) const {
    Vectors touched = narrowLanes(), parts;
    touched.insert(touched.end(), attempt.vector.begin(), attempt.vector.begin() + attempt.narrowBits);
    Subspace wordPart(firstOf(attempt.vector, wordBits));
    for (uint64_t vector : touched)
      parts.push_back(wordPart.reduce(partInV(vector)));
    Vectors inside;
    for (uint64_t vector : kernelOf(touched, parts))
      inside.push_back(vector ^ partInV(vector));
    Subspace seen = word;
    return seen.insertAll(inside);
  }

  /// Vectors of R that span a subspace S meeting neither `a` nor `b` but in zero, modulo `word`.
  Vectors segmentCandidates(const Vectors &a, const Vectors &b, const Subspace &word) const {
    Vectors common = intersection(a, b, word);
    auto rest = [&](const Vectors &side) {
      Subspace seen = word;
      seen.insertAll(common);
      return seen.insertAll(side);
    };
    Vectors onlyA = rest(a), onlyB = rest(b);
    Subspace both = word;
    both.insertAll(a);
    both.insertAll(b);
    Vectors result = both.insertAll(outside);
    for (size_t i = 0; i < std::min(onlyA.size(), onlyB.size()); ++i)
      result.push_back(onlyA[i] ^ onlyB[i]);
    return result;
  }

  const Side &wide, &narrow;
  const Attempt &attempt;
  unsigned elementBytes, bits, wordBits;
  F2Echelon generators;
  Vectors values;  ///< phi of each generator
  Vectors outside; ///< a basis of R
};

/// Registers of `side` that V may consist of beside `used`: no thread stands inside them.
Vectors freeRegisters(const Side &side, Subspace used, size_t limit) {
  used.insertAll(side.threads);
  return firstOf(used.insertAll(side.registers), limit);
}

/// All ways worth trying, the one with the fewest accesses first.
std::vector<Attempt> attemptsFor(const Side &store, const Side &load, unsigned maxBits) {
  Vectors common;
  for (uint64_t column : freeRegisters(store, Subspace(load.threads), store.registers.size()))
    if (common.size() < maxBits &&
        std::find(load.registers.begin(), load.registers.end(), column) != load.registers.end())
      common.push_back(column);
  std::vector<Attempt> attempts;
  for (bool storeIsWide : {true, false}) {
    const Side &wide = storeIsWide ? store : load, &narrow = storeIsWide ? load : store;
    Vectors more = freeRegisters(wide, Subspace(common), maxBits - common.size());
    for (size_t count = 0; count <= more.size(); ++count) {
      Attempt attempt{common, unsigned(common.size()), storeIsWide};
      attempt.vector.insert(attempt.vector.end(), more.begin(), more.begin() + count);
      attempt.accesses = (size_t(1) << (wide.registers.size() - attempt.vector.size())) +
                         (size_t(1) << (narrow.registers.size() - common.size()));
      attempts.push_back(std::move(attempt));
    }
  }
  std::sort(attempts.begin(), attempts.end(), [](const Attempt &a, const Attempt &b) {
    return std::pair(a.accesses, !a.storeIsWide) < std::pair(b.accesses, !b.storeIsWide);
  });
  return attempts;
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
      offset ^= position >> bit & 1 ? units[bit] : 0;
    return uint32_t(offset * scale);
  }

private:
  Vectors units;
  unsigned scale;
};

SharedAccess accessOf(const LinearLayout &layout, const Side &side, const Vectors &vector, size_t vectorBits,
                      const OffsetMap &offsets, unsigned elementBytes) {
  SharedAccess access;
  uint32_t threadOffsets = 0;
  for (uint64_t column : side.threads) {
    access.threadOffsets.push_back(offsets.bytes(column));
    threadOffsets |= access.threadOffsets.back();
  }
  // A thread that stands inside a vector, as skewed layouts have it, can only move what is aligned.
  while (vectorBits && threadOffsets & ((elementBytes << vectorBits) - 1))
    --vectorBits;
  access.elements = 1u << vectorBits;
  // The register bits that make up each bit of a vector; registers that hold what others do are left out.
  std::vector<uint32_t> steps(vectorBits);
  Subspace seen;
  uint32_t copies = 0;
  for (unsigned bit = 0; bit < layout.inBits(Dim::Register); ++bit) {
    uint64_t column = layout.column(Dim::Register, bit);
    bool isCopy = !seen.insert(column);
    copies |= isCopy ? 1u << bit : 0;
    for (unsigned i = 0; i < vectorBits; ++i)
      if (column == vector[i] && !isCopy)
        steps[i] = 1u << bit;
  }
  std::vector<uint64_t> positions = registerPositions(layout);
  for (uint32_t reg = 0; reg < positions.size(); ++reg) {
    uint32_t offset = offsets.bytes(positions[reg]);
    if (reg & copies || offset & ((elementBytes << vectorBits) - 1))
      continue;
    std::vector<uint32_t> members;
    for (unsigned element = 0; element < access.elements; ++element) {
      uint32_t member = reg;
      for (unsigned bit = 0; bit < vectorBits; ++bit)
        member ^= element >> bit & 1 ? steps[bit] : 0;
      members.push_back(member);
    }
    access.vectors.push_back(std::move(members));
    access.offsets.push_back(offset);
  }
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

  // The first attempt without conflicts; the last resort is the widest.
  std::vector<Attempt> attempts = attemptsFor(store, load, maxVector);
  const Attempt *best = nullptr;
  Vectors basis;
  for (const Attempt &attempt : attempts) {
    MemoryMap map(attempt.storeIsWide ? store : load, attempt.storeIsWide ? load : store, attempt,
                  elementBytes, bits);
    if (best && map.hasConflicts)
      continue;
    best = &attempt;
    basis = map.basis;
    if (!map.hasConflicts)
      break;
  }
  OffsetMap offsets(basis, elementBytes);
  size_t all = best->vector.size();

  SharedPlan plan;
  plan.bytes = elementBytes << bits;
  plan.store =
      accessOf(from, store, best->vector, best->storeIsWide ? all : best->narrowBits, offsets, elementBytes);
  plan.load =
      accessOf(target, load, best->vector, best->storeIsWide ? best->narrowBits : all, offsets, elementBytes);
  plan.store.copyBits = planAccess(from, threadBits, {}, 8 * elementBytes).copyBits;
  plan.original = planAccess(target, threadBits, {}, 8 * elementBytes).original;
  return plan;
}

} // namespace tegula
