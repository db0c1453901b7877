#include "compiler/plan/RoundTripPlan.h"
#include "dialect/layout/F2.h"
#include "dialect/layout/MatrixAccess.h"
#include "dialect/layout/Parts.h"
#include "dialect/layout/SharedLayout.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace tegula {
namespace {

unsigned log2Of(unsigned size) { return unsigned(std::bit_width(size) - 1); }

/// Register, lane and warp to element offset.
LinearLayout offsetsOf(const LinearLayout &memory, LinearLayout layout) {
  for (DimBits out : memory.outs())
    layout = layout.resizeOut(out.dim, out.size());
  return layout.compose(*memory.invert());
}

/// The place of a part in memory: element offsets of its start, and of each bit of its position of run time.
struct Place {
  uint64_t start = 0;
  std::vector<uint64_t> position;

  Place(const LinearLayout &memory, const LinearLayout &layout, const PartPlace &part) {
    LinearLayout inverse = *memory.invert();
    auto offsetOf = [&](const std::vector<Coord> &coords) {
      return inverse.applyPacked(inverse.packIn(coords));
    };
    std::vector<Coord> coords;
    for (unsigned axis = 0; axis < part.start.size(); ++axis)
      coords.push_back({layout.outs()[axis].dim, part.start[axis]});
    start = offsetOf(coords);
    if (!part.stride)
      return;
    Dim along = layout.outs()[part.axis].dim;
    for (int32_t step = part.stride; step < inverse.inSize(along); step *= 2)
      position.push_back(offsetOf({{along, step}}));
  }
};

/// The part that every kind of access of one layout shares.
class Planner {
public:
  Planner(const LinearLayout &offsets, const Place &place, unsigned threadBits, unsigned elementBytes)
      : offsets(offsets), place(place), elementBytes(elementBytes), places(registerPositions(offsets)),
        threads(threadColumns(offsets, threadBits)) {
    AccessPlan alone = planAccess(offsets, threadBits, {}, 8 * elementBytes);
    copyBits = alone.copyBits;
    original = std::move(alone.original);
    F2Echelon seen;
    for (unsigned bit = 0; bit < offsets.inBits(Dim::Register); ++bit)
      if (!seen.insert(offsets.column(Dim::Register, bit), bit))
        copies |= 1u << bit;
  }

  /// Vectors of 1, 2, 4 ... elements, as wide as alignment allows.
  std::vector<SharedAccess> vectors() const {
    std::vector<SharedAccess> all;
    std::vector<uint32_t> steps;
    for (;;) {
      SharedAccess access = empty();
      for (uint64_t column : threads)
        access.threadOffsets.push_back(uint32_t(column * elementBytes));
      cut(access, steps, (uint64_t(1) << steps.size()) - 1);
      all.push_back(std::move(access));
      uint32_t next = registerAt(uint64_t(1) << steps.size());
      uint64_t inside = (uint64_t(2) << steps.size()) - 1;
      if (!next || (elementBytes << steps.size()) >= MaxSharedAccessBytes || standsInside(inside))
        return all;
      steps.push_back(next);
    }
  }

  std::optional<SharedAccess> matrices(bool isStore) const {
    std::optional<MatrixAccess> matrices = matricesAt(offsets, elementBytes);
    // The instruction is the warp's, and all of its lanes write: none may hold copies, nor may the warp.
    if (!matrices || (isStore && copyBits) || isPlacedInside(MatrixRowBytes / elementBytes - 1))
      return std::nullopt;
    SharedAccess access = empty();
    access.kind = matrices->transposed ? SharedAccess::TransposedMatrices : SharedAccess::Matrices;
    std::vector<uint64_t> givers(threads);
    std::copy(matrices->lanes.begin(), matrices->lanes.end(), givers.begin());
    for (uint64_t column : givers)
      access.threadOffsets.push_back(uint32_t(column * elementBytes));
    std::vector<uint32_t> steps;
    uint32_t moved = 0;
    for (const std::vector<unsigned> *bits : {&matrices->wordBits, &matrices->matrixBits})
      for (unsigned bit : *bits) {
        steps.push_back(1u << bit);
        moved |= 1u << bit;
      }
    access.elements = 1u << steps.size();
    for (uint32_t reg = 0; reg < places.size(); ++reg)
      if (!(reg & (copies | moved)))
        add(access, reg, steps);
    return access;
  }

private:
  SharedAccess empty() const {
    SharedAccess access;
    access.copyBits = copyBits;
    access.original = original;
    for (uint64_t column : place.position)
      access.positionOffsets.push_back(uint32_t(column * elementBytes));
    return access;
  }

  /// Returns the register bit, not a copy, that alone means `offset`; 0 where there is none.
  uint32_t registerAt(uint64_t offset) const {
    for (unsigned bit = 0; bit < offsets.inBits(Dim::Register); ++bit)
      if (!(copies >> bit & 1) && offsets.column(Dim::Register, bit) == offset)
        return 1u << bit;
    return 0;
  }

  /// True where the part's place is not aligned to accesses of these offsets.
  bool isPlacedInside(uint64_t inside) const {
    return place.start & inside || std::any_of(place.position.begin(), place.position.end(),
                                               [&](uint64_t column) { return column & inside; });
  }

  /// True where a thread, or the part's place, is not aligned to vectors of these offsets.
  bool standsInside(uint64_t inside) const {
    return isPlacedInside(inside) ||
           std::any_of(threads.begin(), threads.end(), [&](uint64_t column) { return column & inside; });
  }

  void cut(SharedAccess &access, const std::vector<uint32_t> &steps, uint64_t inside) const {
    access.elements = 1u << steps.size();
    for (uint32_t reg = 0; reg < places.size(); ++reg)
      if (!(reg & copies) && !(places[reg] & inside))
        add(access, reg, steps);
  }

  void add(SharedAccess &access, uint32_t reg, const std::vector<uint32_t> &steps) const {
    std::vector<uint32_t> members = allSums(steps);
    for (uint32_t &member : members)
      member ^= reg;
    access.vectors.push_back(std::move(members));
    access.offsets.push_back(uint32_t((places[reg] ^ place.start) * elementBytes));
  }

  const LinearLayout &offsets;
  const Place &place;
  unsigned elementBytes;
  std::vector<uint64_t> places, threads;
  uint32_t copies = 0; ///< register bits whose element lower ones hold
  uint32_t copyBits = 0;
  std::vector<uint32_t> original;
};

/// Cycles of the memory and of the instructions' issue, for one warp.
size_t costOf(const SharedAccess &access, unsigned elementBytes) {
  return access.vectors.size() * (wavefrontsOf(access, elementBytes) + 1);
}

/// Returns how many neighbours along each axis are neighbours in memory, too.
std::vector<unsigned> contiguousIn(const LinearLayout &memory, const LinearLayout &layout,
                                   std::span<const unsigned> contiguous) {
  LinearLayout inverse = *memory.invert();
  std::vector<unsigned> both;
  for (unsigned axis = 0; axis < contiguous.size(); ++axis) {
    Dim dim = layout.outs()[axis].dim;
    unsigned step = 0;
    while (step < inverse.inBits(dim) && (1u << step) < contiguous[axis] &&
           inverse.column(dim, step) == uint64_t(1) << step)
      ++step;
    both.push_back(1u << step);
  }
  return both;
}

/// The bits of places in the tensor that registers alone tell: exactly one column has it, a register's, and
/// nothing else.
uint64_t bitsOfRegisters(const LinearLayout &layout) {
  uint64_t once = 0, more = 0, registers = 0;
  for (DimBits in : layout.ins())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      const uint64_t column = layout.column(in.dim, bit);
      more |= once & column;
      once |= column;
      if (in.dim == Dim::Register && std::has_single_bit(column))
        registers |= column;
    }
  return registers & ~more;
}

/// `layout` with the tensor as one axis, on which its bits have the order `order`.
LinearLayout reordered(const LinearLayout &layout, const std::vector<unsigned> &order) {
  std::vector<uint64_t> columns;
  for (DimBits in : layout.ins())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      const uint64_t column = layout.column(in.dim, bit);
      uint64_t moved = 0;
      for (unsigned place = 0; place < order.size(); ++place)
        moved |= (column >> order[place] & 1) << place;
      columns.push_back(moved);
    }
  return LinearLayout::fromColumns(layout.ins(), {{Dim::Dim0, unsigned(order.size())}}, columns);
}

/// The bits of a tensor with sides `outs`: last those of `chosen` that tell its parts apart, `count` of them,
/// the highest of each axis, so that neighbours stay together.
std::vector<unsigned> orderForParts(const std::vector<DimBits> &outs, uint64_t chosen, unsigned &count) {
  std::vector<std::pair<unsigned, unsigned>> candidates; // bits of the axis above, and the bit
  unsigned below = 0;
  for (DimBits out : outs) {
    for (unsigned bit = 0; bit < out.bits; ++bit)
      if (chosen >> (below + bit) & 1)
        candidates.emplace_back(out.bits - bit, below + bit);
    below += out.bits;
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.resize(count = std::min(count, unsigned(candidates.size())));
  std::vector<unsigned> order;
  for (unsigned bit = 0; bit < below; ++bit)
    if (std::none_of(candidates.begin(), candidates.end(), [&](auto entry) { return entry.second == bit; }))
      order.push_back(bit);
  for (auto [above, bit] : candidates)
    order.push_back(bit);
  return order;
}

/// The layouts of a round trip, and those of each of its parts.
struct PartedLayouts {
  LinearLayout from, to, partFrom, partTo;
  unsigned count = 1;
};

/// In parts of at most `most` elements, or as small as they can be had.
PartedLayouts inParts(const LinearLayout &from, const LinearLayout &to, uint64_t most) {
  PartedLayouts whole{from, to, from, to};
  unsigned bits = from.totalOutBits(), halvings = 0;
  while (halvings < bits && uint64_t(1) << (bits - halvings) > most)
    ++halvings;
  if (halvings == 0 || from.outs() != to.outs())
    return whole;
  std::vector<unsigned> order =
      orderForParts(from.outs(), bitsOfRegisters(from) & bitsOfRegisters(to), halvings);
  if (halvings == 0)
    return whole;
  PartedLayouts parted{reordered(from, order), reordered(to, order), {}, {}, 1u << halvings};
  const int32_t side = int32_t(1) << (bits - halvings);
  std::optional<LinearLayout> before = partLayout(parted.from, {&side, 1}),
                              after = partLayout(parted.to, {&side, 1});
  if (!before || !after)
    return whole;
  parted.partFrom = std::move(*before), parted.partTo = std::move(*after);
  return parted;
}

/// The registers of `whole` with elements of the part at `start`, and those of the part that have them.
std::vector<std::pair<uint32_t, uint32_t>> resultsOf(const LinearLayout &whole, const LinearLayout &part,
                                                     int32_t start) {
  const std::vector<uint32_t> registers = *registersOfPart(whole, part, {&start, 1});
  const std::vector<uint64_t> places = registerPositions(whole);
  std::unordered_map<uint64_t, uint32_t> held;
  for (uint32_t reg = 0; reg < registers.size(); ++reg)
    held.try_emplace(places[registers[reg]], reg);
  std::vector<std::pair<uint32_t, uint32_t>> results;
  for (uint32_t reg = 0; reg < places.size(); ++reg)
    if (auto found = held.find(places[reg]); found != held.end())
      results.emplace_back(reg, found->second);
  return results;
}

} // namespace

unsigned wavefrontsOf(const SharedAccess &access, unsigned elementBytes) {
  bool isMatrices = access.kind != SharedAccess::Vectors;
  unsigned bytes = isMatrices ? MatrixRowBytes : access.elements * elementBytes;
  unsigned unit = std::max(bytes, BankBytes), lanes = std::min(1u << LaneBits, WavefrontBytes / unit);
  std::vector<uint64_t> words, banks;
  for (unsigned bit = 0; bit < log2Of(lanes); ++bit) {
    words.push_back(access.threadOffsets[bit] / unit);
    banks.push_back(words.back() % (WavefrontBytes / unit));
  }
  // Matrices take a wavefront each, whichever lanes give the addresses.
  unsigned groups = isMatrices ? access.elements * elementBytes / BankBytes : (1u << LaneBits) / lanes;
  return groups << (rankOf(words) - rankOf(banks));
}

SharedAccess planSharedAccess(const LinearLayout &memory, const LinearLayout &layout, const PartPlace &part,
                              unsigned threadBits, unsigned elementBytes, SharedMove move) {
  LinearLayout offsets = offsetsOf(memory, layout);
  Place place(memory, layout, part);
  Planner planner(offsets, place, threadBits, elementBytes);
  std::vector<SharedAccess> all = planner.vectors();
  if (move != SharedMove::Vectors)
    if (std::optional<SharedAccess> matrices = planner.matrices(move == SharedMove::StoreMatrices))
      all.insert(all.begin(), std::move(*matrices));
  // Vectors are preferred where it makes no difference, the widest.
  return *std::min_element(all.rbegin(), all.rend(), [&](const SharedAccess &a, const SharedAccess &b) {
    return costOf(a, elementBytes) < costOf(b, elementBytes);
  });
}

SharedAccess planCopy(const LinearLayout &memory, const LinearLayout &layout,
                      std::span<const unsigned> contiguous, unsigned threadBits, unsigned elementBytes,
                      AccessPlan &global) {
  LinearLayout offsets = offsetsOf(memory, layout);
  std::vector<uint64_t> places = registerPositions(offsets), threads = threadColumns(offsets, threadBits);
  std::vector<unsigned> runs = contiguousIn(memory, layout, contiguous);
  for (;;) {
    global = planAccess(layout, threadBits, runs, 8 * elementBytes);
    uint64_t inside = global.elements - 1;
    bool isAligned =
        std::none_of(threads.begin(), threads.end(), [&](uint64_t column) { return column & inside; }) &&
        std::none_of(global.vectors.begin(), global.vectors.end(),
                     [&](const std::vector<uint32_t> &vector) { return places[vector.front()] & inside; });
    if (isAligned)
      break;
    for (unsigned &run : runs)
      run = std::min(run, global.elements / 2);
  }
  SharedAccess access;
  access.elements = global.elements;
  access.vectors = global.vectors;
  access.copyBits = global.copyBits;
  access.original = global.original;
  for (const std::vector<uint32_t> &vector : global.vectors)
    access.offsets.push_back(uint32_t(places[vector.front()] * elementBytes));
  for (uint64_t column : threads)
    access.threadOffsets.push_back(uint32_t(column * elementBytes));
  return access;
}

RoundTripPlan planRoundTrip(const LinearLayout &from, const LinearLayout &to, unsigned threadBits,
                            unsigned elementBytes, MatrixMoves moves, uint32_t mostBytes) {
  auto kindOf = [](bool matrices) {
    return matrices ? SharedAccessKind::Matrices : SharedAccessKind::Vectors;
  };
  const PartedLayouts parted = inParts(from, to, mostBytes / elementBytes);
  LinearLayout memory = chooseSharedLayout({parted.partFrom, kindOf(moves.store)},
                                           {parted.partTo, kindOf(moves.load)}, elementBytes);
  RoundTripPlan plan;
  plan.bytes = elementBytes << memory.totalInBits();
  plan.store = planSharedAccess(memory, parted.partFrom, {}, threadBits, elementBytes,
                                moves.store ? SharedMove::StoreMatrices : SharedMove::Vectors);
  plan.load = planSharedAccess(memory, parted.partTo, {}, threadBits, elementBytes,
                               moves.load ? SharedMove::LoadMatrices : SharedMove::Vectors);
  const int32_t length = int32_t(1) << parted.partFrom.totalOutBits();
  for (unsigned part = 0; parted.count > 1 && part < parted.count; ++part) {
    const int32_t start = int32_t(part) * length;
    plan.parts.push_back({*registersOfPart(parted.from, parted.partFrom, {&start, 1}),
                          resultsOf(parted.to, parted.partTo, start)});
  }
  return plan;
}

} // namespace tegula
