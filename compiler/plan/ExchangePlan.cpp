#include "compiler/plan/ExchangePlan.h"
#include "dialect/layout/F2.h"
#include "dialect/layout/MatrixAccess.h"
#include "dialect/layout/SharedLayout.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tegula {
namespace {

unsigned log2Of(unsigned size) { return unsigned(std::bit_width(size) - 1); }

/// Register, lane and warp to element offset.
LinearLayout offsetsOf(const LinearLayout &memory, LinearLayout layout) {
  for (DimBits out : memory.outs())
    layout = layout.resizeOut(out.dim, out.size());
  return layout.compose(*memory.invert());
}

/// Where in memory a part is: element offsets of its start, and of each bit of its position of run time.
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

/// What every kind of access of one layout has in common.
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

  /// The register bit, not a copy, that alone stands for `offset`; 0 where there is none.
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
    std::vector<uint32_t> members;
    for (uint32_t element = 0; element < 1u << steps.size(); ++element) {
      uint32_t member = reg;
      for (unsigned bit = 0; bit < steps.size(); ++bit)
        member ^= element >> bit & 1 ? steps[bit] : 0;
      members.push_back(member);
    }
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

/// How many neighbours along each axis are neighbours in memory, too.
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
  // Matrices take a wavefront each, whoever gives the addresses.
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
  // Where it makes no difference vectors are preferred, the widest.
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

ExchangePlan planExchange(const LinearLayout &from, const LinearLayout &to, unsigned threadBits,
                          unsigned elementBytes, MatrixMoves moves) {
  auto kindOf = [](bool matrices) {
    return matrices ? SharedAccessKind::Matrices : SharedAccessKind::Vectors;
  };
  LinearLayout memory =
      chooseSharedLayout({from, kindOf(moves.store)}, {to, kindOf(moves.load)}, elementBytes);
  ExchangePlan plan;
  plan.bytes = elementBytes << memory.totalInBits();
  plan.store = planSharedAccess(memory, from, {}, threadBits, elementBytes,
                                moves.store ? SharedMove::StoreMatrices : SharedMove::Vectors);
  plan.load = planSharedAccess(memory, to, {}, threadBits, elementBytes,
                               moves.load ? SharedMove::LoadMatrices : SharedMove::Vectors);
  return plan;
}

} // namespace tegula
