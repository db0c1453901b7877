// Vectors make the swizzle a little more than SharedLayout.h says. Let V be what one access of a thread
// covers, and phi(x) the V part of a position x, its low offset bits. Accesses are aligned where phi is zero
// on the positions of all threads of a side. Everything else is decided among the positions R where phi
// vanishes: there the segment subspace S must meet neither side. The side that moves less than V at once
// loses from its wavefront what phi takes out of it; if that is too little, V is too wide to be free of
// conflicts. A copy has no choice: what it moves lies side by side in global memory too, so phi is there the
// low bits of a coordinate, whatever registers and threads there are.
#include "dialect/layout/SharedLayout.h"
#include "dialect/layout/F2.h"
#include "dialect/layout/MatrixAccess.h"
#include "dialect/layout/Places.h"
#include "dialect/layout/Subspace.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace tegula {
namespace {

/// One way in which one side may access memory.
struct Side {
  Vectors registers; ///< independent columns
  Vectors threads;   ///< columns of the thread's number, lanes first; of those that give addresses
  /// If `isFixed`, one access is exactly these positions, in this order.
  bool isFixed = false;
  Vectors access;
  bool isMatrices = false;
  /// For copies: the bits of a position that say where in its copy it is.
  uint64_t inCopy = 0;
};

Vectors registerColumns(const LinearLayout &layout) {
  Vectors columns;
  for (unsigned bit = 0; bit < layout.inBits(Dim::Register); ++bit)
    columns.push_back(layout.column(Dim::Register, bit));
  return columns;
}

Side matrixSide(const LinearLayout &layout, const MatrixAccess &matrices, unsigned threadBits) {
  Side side;
  side.isFixed = side.isMatrices = true;
  side.access = matrices.row;
  side.threads = threadColumns(layout, threadBits);
  std::copy(matrices.lanes.begin(), matrices.lanes.end(), side.threads.begin());
  // The registers that are left for further instructions.
  Subspace seen(matrices.row);
  side.registers = matrices.row;
  for (unsigned bit : matrices.wordBits)
    seen.insert(layout.column(Dim::Register, bit));
  for (unsigned bit : matrices.matrixBits)
    seen.insert(layout.column(Dim::Register, bit));
  for (uint64_t column : seen.insertAll(registerColumns(layout)))
    side.registers.push_back(column);
  return side;
}

/// Returns the registers that one copy moves.
std::vector<unsigned> copyRun(const SharedSide &given, const LinearLayout &layout, unsigned elementBytes) {
  if (given.axis)
    return runOfRegisters(layout, *given.axis, elementBytes, given.maxBytes);
  std::vector<unsigned> first;
  for (unsigned axis = 0; axis < layout.outs().size(); ++axis) {
    std::vector<unsigned> run = runOfRegisters(layout, axis, elementBytes, given.maxBytes);
    if (!run.empty() && (first.empty() || run.front() < first.front()))
      first = std::move(run);
  }
  return first;
}

/// Returns all ways of one side.
std::vector<Side> sidesOf(const SharedSide &given, const LinearLayout &layout, unsigned threadBits,
                          unsigned elementBytes) {
  Side plain;
  Subspace seen;
  plain.registers = seen.insertAll(registerColumns(layout));
  plain.threads = threadColumns(layout, threadBits);
  if (given.kind == SharedAccessKind::AsyncCopy) {
    plain.isFixed = true;
    for (unsigned bit : copyRun(given, layout, elementBytes))
      plain.access.push_back(layout.column(Dim::Register, bit));
    for (uint64_t column : plain.access)
      plain.inCopy |= column;
  }
  std::vector<Side> sides{plain};
  if (given.kind == SharedAccessKind::Matrices)
    for (bool transposed : {false, true})
      if (std::optional<MatrixAccess> matrices = asMatrices(layout, elementBytes, transposed))
        sides.push_back(matrixSide(layout, *matrices, threadBits));
  return sides;
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
  const Side *wide, *narrow;
  Vectors vector;
  unsigned narrowBits = 0;
  bool writerIsWide = true;

  /// Instructions of one thread, both ways.
  size_t accesses() const {
    return (size_t(1) << (wide->registers.size() - vector.size())) +
           (size_t(1) << (narrow->registers.size() - narrowBits));
  }
};

class MemoryMap {
public:
  MemoryMap(const Attempt &attempt, unsigned elementBytes, unsigned bits)
      : wide(*attempt.wide), narrow(*attempt.narrow), attempt(attempt), elementBytes(elementBytes),
        bits(bits), inCopy(wide.inCopy | narrow.inCopy),
        wordBits(std::min(bits, elementBytes < 4 ? unsigned(std::bit_width(4 / elementBytes) - 1) : 0)) {
    split();
    layOut();
  }

  /// The positions of the bits of an element offset, low bits first.
  Vectors basis;
  bool hasConflicts = false;

private:
  /// Makes phi, giving each vector its V part, and R.
  void split() {
    for (uint64_t vector : attempt.vector)
      assign(vector, vector);
    for (uint64_t column : wide.threads)
      assign(column & ~inCopy, 0);
    // The narrow side's lanes may take over what only the wide side has in V, unless it is of a copy: the
    // more, the better.
    Vectors extra(attempt.vector.begin() + attempt.narrowBits, attempt.vector.end());
    Subspace covered;
    for (uint64_t lane : narrowLanes()) {
      uint64_t value = 0;
      for (uint64_t vector : extra)
        if (!value && !(vector & inCopy) && covered.reduce(vector))
          value = vector;
      covered.insert(assign(lane & ~inCopy, value) ? value : partInV(lane));
    }
    for (uint64_t column : narrow.threads)
      assign(column & ~inCopy, 0);
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

    Vectors a = wideWavefront(word);
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

  /// Returns the wide side's wavefront in R: all of it, unless threads are inside copies.
  Vectors wideWavefront(const Subspace &word) const {
    Vectors inside;
    for (uint64_t vector : firstOf(wide.threads, wavefrontBits(elementBytes << attempt.vector.size())))
      inside.push_back(vector ^ partInV(vector));
    Subspace seen = word;
    return seen.insertAll(inside);
  }

  /// Returns what the narrow side's wavefront leaves in R: sums whose V part is within one word.
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
  unsigned elementBytes, bits;
  uint64_t inCopy; ///< of the side that copies, if one does
  unsigned wordBits;
  F2Echelon generators;
  Vectors values;  ///< phi of each generator
  Vectors outside; ///< a basis of R
};

/// Returns the registers of `side` that V may consist of except `used`: no thread is inside them.
Vectors freeRegisters(const Side &side, Subspace used, size_t limit) {
  used.insertAll(side.threads);
  return firstOf(used.insertAll(side.registers), limit);
}

/// True where no thread of a side that moves matrices is inside what one access moves.
bool isApart(const Side &side) {
  Subspace threads(side.threads);
  return !side.isMatrices || threads.insertAll(side.access).size() == side.access.size();
}

/// True where `side` can move all of `vector` at once, its bits in this order or, if it chooses, in any.
bool canMove(const Side &side, const Vectors &vector) {
  if (side.isFixed)
    return side.access == vector;
  Vectors free = freeRegisters(side, Subspace(), side.registers.size());
  return std::all_of(vector.begin(), vector.end(), [&](uint64_t column) {
    return std::find(free.begin(), free.end(), column) != free.end();
  });
}

/// The most of the beginning of `vector` that `side` moves at once.
unsigned prefixOf(const Side &side, const Vectors &vector) {
  unsigned bits = unsigned(vector.size());
  while (bits && !canMove(side, firstOf(vector, bits)))
    --bits;
  return bits;
}

class Attempts {
public:
  Attempts(unsigned maxBits) : maxBits(maxBits) {}

  void add(const Side &wide, const Side &narrow, bool writerIsWide) {
    if (!isApart(wide) || !isApart(narrow))
      return;
    Attempt attempt{&wide, &narrow, {}, 0, writerIsWide};
    if (wide.isFixed) {
      attempt.vector = wide.access;
      // Two that are both fixed go together only where one begins with the other.
      attempt.narrowBits = prefixOf(narrow, attempt.vector);
      if (narrow.isFixed) {
        if (firstOf(wide.access, narrow.access.size()) != narrow.access)
          return;
        attempt.narrowBits = unsigned(narrow.access.size());
      }
      all.push_back(attempt);
      return;
    }
    Vectors common = narrow.isFixed ? narrow.access : commonRegisters(wide, narrow);
    if (narrow.isFixed && !canMove(wide, common))
      return;
    Vectors more = freeRegisters(wide, Subspace(common), maxBits - common.size());
    attempt.narrowBits = unsigned(common.size());
    for (size_t count = 0; count <= more.size(); ++count) {
      attempt.vector = common;
      attempt.vector.insert(attempt.vector.end(), more.begin(), more.begin() + count);
      all.push_back(attempt);
    }
  }

  /// The one with the fewest accesses first; of equal ones that which was added first.
  std::vector<Attempt> sorted() const {
    std::multimap<std::pair<size_t, bool>, const Attempt *> byCost; // keeps equal keys in order
    for (const Attempt &attempt : all)
      byCost.emplace(std::pair(attempt.accesses(), !attempt.writerIsWide), &attempt);
    std::vector<Attempt> sorted;
    sorted.reserve(all.size());
    for (const auto &[cost, attempt] : byCost)
      sorted.push_back(*attempt);
    return sorted;
  }

private:
  /// Returns the registers that both sides have and no thread of either is inside.
  Vectors commonRegisters(const Side &wide, const Side &narrow) const {
    Vectors common;
    for (uint64_t column : freeRegisters(wide, Subspace(narrow.threads), wide.registers.size()))
      if (common.size() < maxBits &&
          std::find(narrow.registers.begin(), narrow.registers.end(), column) != narrow.registers.end())
        common.push_back(column);
    return common;
  }

  unsigned maxBits;
  std::vector<Attempt> all;
};

LinearLayout memoryOf(const Vectors &basis, const LinearLayout &like) {
  return LinearLayout::fromColumns({{Dim::Offset, unsigned(basis.size())}}, like.outs(), basis);
}

/// True where `side` can do under `memory` what it was chosen for.
bool holds(const Side &side, const LinearLayout &layout, const LinearLayout &memory, unsigned elementBytes) {
  if (!side.isFixed)
    return true;
  if (side.isMatrices)
    return matricesAt(layout.compose(*memory.invert()), elementBytes).has_value();
  // Low bits of the offset are those of the coordinate.
  LinearLayout inverse = *memory.invert();
  uint64_t inside = (uint64_t(1) << side.access.size()) - 1;
  for (unsigned bit = 0; bit < inverse.totalInBits(); ++bit) {
    auto found = std::find(side.access.begin(), side.access.end(), uint64_t(1) << bit);
    uint64_t expected = found == side.access.end() ? 0 : uint64_t(1) << (found - side.access.begin());
    if ((inverse.applyPacked(uint64_t(1) << bit) & inside) != expected)
      return false;
  }
  return true;
}

/// The axes of `layout` in the order of those of `like`.
LinearLayout inOrderOf(const LinearLayout &layout, const LinearLayout &like) {
  std::vector<Dim> outs;
  for (DimBits out : like.outs())
    outs.push_back(out.dim);
  return layout.transposeOuts(outs);
}

} // namespace

LinearLayout chooseSharedLayout(const SharedSide &writer, const SharedSide &reader, unsigned elementBytes) {
  LinearLayout target = inOrderOf(reader.layout, writer.layout);
  unsigned bits = writer.layout.totalOutBits();
  unsigned threadBits = LaneBits + std::max(writer.layout.inBits(Dim::Warp), target.inBits(Dim::Warp));
  std::vector<Side> writers = sidesOf(writer, writer.layout, threadBits, elementBytes);
  std::vector<Side> readers = sidesOf(reader, target, threadBits, elementBytes);
  Attempts attempts(unsigned(std::bit_width(MaxSharedAccessBytes / elementBytes) - 1));
  for (const Side &from : writers)
    for (const Side &to : readers) {
      attempts.add(from, to, true);
      attempts.add(to, from, false);
    }
  // The first attempt without conflicts; the last resort is the widest.
  std::optional<LinearLayout> best;
  for (const Attempt &attempt : attempts.sorted()) {
    MemoryMap map(attempt, elementBytes, bits);
    if (best && map.hasConflicts)
      continue;
    LinearLayout memory = memoryOf(map.basis, writer.layout);
    const Side &from = attempt.writerIsWide ? *attempt.wide : *attempt.narrow;
    const Side &to = attempt.writerIsWide ? *attempt.narrow : *attempt.wide;
    if (!holds(from, writer.layout, memory, elementBytes) || !holds(to, target, memory, elementBytes))
      continue;
    best = std::move(memory);
    if (!map.hasConflicts)
      break;
  }
  // A side that copies leaves any that moves vectors a map, so that there always is one.
  return *best;
}

unsigned copyBytesInto(const LinearLayout &memory, const LinearLayout &layout, unsigned axis,
                       unsigned elementBytes, unsigned maxBytes) {
  LinearLayout inverse = *memory.invert(), offsets = layout.compose(inverse);
  std::vector<unsigned> run = runOfRegisters(layout, axis, elementBytes, maxBytes);
  size_t steps = 0;
  while (steps < run.size() && offsets.column(Dim::Register, run[steps]) == uint64_t(1) << steps)
    ++steps;
  // Everything else must move whole copies.
  Subspace seen;
  Vectors others = threadColumns(offsets, LaneBits + offsets.inBits(Dim::Warp));
  for (unsigned bit = 0; bit < offsets.inBits(Dim::Register); ++bit)
    if (uint64_t column = offsets.column(Dim::Register, bit);
        seen.insert(column) && std::find(run.begin(), run.begin() + steps, bit) == run.begin() + steps)
      others.push_back(column);
  for (uint64_t column : others)
    while (column & ((uint64_t(1) << steps) - 1))
      --steps;
  return elementBytes << steps;
}

} // namespace tegula
