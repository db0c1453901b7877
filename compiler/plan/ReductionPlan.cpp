#include "compiler/plan/ReductionPlan.h"
#include "dialect/layout/F2.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace tegula {
namespace {

/// The direction of a bit of a place: in the result, and along the axis in the coordinates of the steps,
/// where bit i means the a part of step i.
struct Column {
  uint64_t out = 0, axis = 0;
  Column &operator^=(Column other) {
    out ^= other.out;
    axis ^= other.axis;
    return *this;
  }
};

/// A vector of N: bits of places, registers in the lowest, then lanes, then warps.
using Place = uint64_t;

class Planner {
public:
  Planner(const LinearLayout &layout, unsigned axis, unsigned threadBits,
          std::span<const unsigned> elementBytes, CombineTraits traits)
      : registerBits(layout.inBits(Dim::Register)), threadBits(threadBits), elementBytes(elementBytes),
        traits(traits) {
    readColumns(layout, axis);
    chooseSteps();
  }

  ReductionPlan run() {
    foldRegisters();
    reduceLanes();
    if (warpSteps)
      roundTrip();
    findResults();
    return std::move(plan);
  }

private:
  /// The columns, and N's vectors as `kernel`: each has a bit, its last, that no other one has.
  void readColumns(const LinearLayout &layout, unsigned axis) {
    std::vector<uint64_t> packed;
    packed.reserve(registerBits + threadBits);
    for (unsigned bit = 0; bit < registerBits; ++bit)
      packed.push_back(layout.column(Dim::Register, bit));
    for (uint64_t column : threadColumns(layout, threadBits))
      packed.push_back(column);
    unsigned below = 0;
    for (unsigned i = 0; i < axis; ++i)
      below += layout.outs()[i].bits;
    unsigned axisBits = layout.outs()[axis].bits;
    outBits = layout.totalOutBits() - axisBits;
    uint64_t low = (uint64_t(1) << below) - 1, axisMask = (uint64_t(1) << axisBits) - 1;
    for (uint64_t column : packed)
      columns.push_back(
          {(column & low) | (column >> (below + axisBits) << below), column >> below & axisMask});
    F2Echelon seen;
    for (unsigned bit = 0; bit < columns.size(); ++bit)
      if (!seen.insert(columns[bit].out, bit))
        kernel.push_back(*seen.solve(columns[bit].out) | Place(1) << bit);
  }

  /// Those of N that lead to new elements, in the order of what they cost; coordinates follow.
  void chooseSteps() {
    F2Echelon chosen;
    unsigned count = 0;
    for (Place vector : kernel) {
      uint64_t along = 0;
      for (unsigned bit = 0; bit < columns.size(); ++bit)
        along ^= vector >> bit & 1 ? columns[bit].axis : 0;
      if (!chosen.insert(along, count))
        continue;
      ++count;
      if (vector < Place(1) << registerBits)
        registerSteps.push_back(vector);
      else if (vector < Place(1) << (registerBits + LaneBits))
        laneSteps.push_back(vector);
      else
        ++warpSteps;
    }
    for (Column &column : columns)
      column.axis = *chosen.solve(column.axis);
    ordered = !traits.commutes && !warpSteps;
  }

  /// Afterwards the values are the sums of `registers`, the register bits that tell results apart.
  void foldRegisters() {
    std::vector<uint32_t> kept;
    for (unsigned bit = 0; bit < registerBits; ++bit)
      if (std::none_of(kernel.begin(), kernel.end(),
                       [&](Place vector) { return unsigned(std::bit_width(vector)) == bit + 1; })) {
        kept.push_back(1u << bit);
        registers.push_back(columns[bit]);
      }
    compact = kept;
    // The vectors to combine along come first, so that neighbours meet first: what a thread loaded first is
    // combined first, while the rest is on its way.
    std::vector<uint32_t> spanning(registerSteps.begin(), registerSteps.end());
    spanning.insert(spanning.end(), kept.begin(), kept.end());
    plan.inputs = allSums(spanning);
    size_t live = plan.inputs.size();
    for (size_t i = 0; i < registerSteps.size(); ++i) {
      live /= 2;
      ReductionStep step;
      for (uint32_t value = 0; value < live; ++value)
        addPair(step, 2 * value, 2 * value + 1, unsigned(i), axisOf(plan.inputs[(2 * value) << i]));
      step.order = ordered ? orderOf(unsigned(i)) : 0;
      add(std::move(step));
    }
  }

  /// The axis coordinates of an original register.
  uint64_t axisOf(uint32_t reg) const {
    uint64_t axis = 0;
    for (unsigned bit = 0; bit < registerBits; ++bit)
      axis ^= reg >> bit & 1 ? columns[bit].axis : 0;
    return axis;
  }

  /// Returns the place along the axis of value `value`, as `registers` has them now.
  uint64_t axisOfValue(uint32_t value) const {
    uint64_t axis = 0;
    for (unsigned bit = 0; bit < registers.size(); ++bit)
      axis ^= value >> bit & 1 ? registers[bit].axis : 0;
    return axis;
  }

  Column &thread(unsigned bit) { return columns[registerBits + bit]; }

  /// The bits of the thread's number on which it depends which side of step `index` it is on.
  uint32_t orderOf(unsigned index) {
    uint32_t bits = 0;
    for (unsigned bit = 0; bit < threadBits; ++bit)
      bits |= uint32_t(thread(bit).axis >> index & 1) << bit;
    return bits;
  }

  void addPair(ReductionStep &step, uint32_t a, uint32_t b, unsigned index, uint64_t axis) {
    step.pairs.push_back({a, b});
    step.reversed.push_back(ordered && axis >> index & 1);
  }

  void add(ReductionStep step) {
    switch (step.kind) {
    case ReductionStep::Fold:
      plan.folds += unsigned(step.pairs.size());
      break;
    case ReductionStep::Butterfly:
    case ReductionStep::Halve:
      plan.folds += unsigned(step.pairs.size());
      plan.shuffles += unsigned(step.pairs.size());
      break;
    case ReductionStep::WarpWide:
      plan.shuffles += 1u << registers.size();
      break;
    case ReductionStep::Broadcast:
      plan.shuffles += unsigned(step.shuffle.registers.size());
      break;
    case ReductionStep::RoundTrip:
      break;
    }
    plan.steps.push_back(std::move(step));
  }

  uint32_t registersOf(Place vector) const { return uint32_t(vector & ((Place(1) << registerBits) - 1)); }
  uint32_t lanesOf(Place vector) const { return uint32_t(vector >> registerBits) & 31; }

  void reduceLanes() {
    targetRegisters = registers;
    targetThreads.assign(columns.begin() + registerBits, columns.end());
    bool straight = std::all_of(laneSteps.begin(), laneSteps.end(),
                                [&](Place vector) { return registersOf(vector) == 0; });
    if (traits.hasRedux && straight && laneSteps.size() == LaneBits) {
      ReductionStep step;
      step.kind = ReductionStep::WarpWide;
      return add(std::move(step));
    }
    ReductionStep broadcast;
    size_t halvings = straight ? halvingSteps(broadcast) : 0;
    for (size_t i = 0; i < laneSteps.size(); ++i)
      i < halvings ? halve(i) : butterfly(i);
    if (halvings && !warpSteps) {
      registers = targetRegisters;
      add(std::move(broadcast));
    }
  }

  /// Returns how many lane steps halve the values. A halving of R values costs R/2 shuffles, as many
  /// combinations and R choices of what to send and keep, against R shuffles and R combinations of a
  /// butterfly; `Broadcast` takes R shuffles. Two halvings pay if the values go through shared memory next,
  /// three otherwise. If the results must be broadcast afterwards, `broadcast` becomes the step that does it.
  size_t halvingSteps(ReductionStep &broadcast) const {
    size_t most = std::min(laneSteps.size(), registers.size());
    if (most < (warpSteps ? 2u : 3u))
      return 0;
    if (warpSteps)
      return most;
    std::vector<Column> left(registers), threads(targetThreads);
    for (size_t i = 0; i < most; ++i, left.pop_back())
      threads[size_t(std::bit_width(lanesOf(laneSteps[i])) - 1)] ^= left.back();
    std::optional<ShufflePlan> shuffle = planLaneShuffle(
        layoutOf(left, threads, false), layoutOf(targetRegisters, targetThreads, false), threadBits);
    // Skewed layouts may have the results spread over warps.
    if (!shuffle || shuffle->choices.size() > 1)
      return 0;
    broadcast.kind = ReductionStep::Broadcast;
    broadcast.shuffle = std::move(*shuffle);
    return most;
  }

  void butterfly(size_t index) {
    ReductionStep step;
    step.kind = ReductionStep::Butterfly;
    step.lanes = lanesOf(laneSteps[index]);
    uint32_t other = 0; // the register that the partner's value is in, among the values
    for (unsigned bit = 0; bit < compact.size(); ++bit)
      other |= registersOf(laneSteps[index]) & compact[bit] ? 1u << bit : 0;
    unsigned coordinate = unsigned(registerSteps.size() + index);
    for (uint32_t value = 0; value < 1u << registers.size(); ++value)
      addPair(step, value, value ^ other, coordinate, axisOfValue(value));
    step.order = ordered ? orderOf(coordinate) : 0;
    add(std::move(step));
  }

  /// The last register bit moves to a lane bit.
  void halve(size_t index) {
    ReductionStep step;
    step.kind = ReductionStep::Halve;
    step.lanes = lanesOf(laneSteps[index]);
    unsigned pivot = unsigned(std::bit_width(step.lanes) - 1);
    step.pivot = 1u << pivot;
    Column moved = registers.back();
    registers.pop_back();
    thread(pivot) ^= moved;
    unsigned coordinate = unsigned(registerSteps.size() + index);
    uint32_t half = 1u << registers.size();
    for (uint32_t value = 0; value < half; ++value)
      addPair(step, value, value + half, coordinate, axisOfValue(value));
    step.order = ordered ? orderOf(coordinate) : 0;
    add(std::move(step));
  }

  /// Places to positions: the result's in dimension 0, the partial result's number in dimension 1.
  LinearLayout layoutOf(const std::vector<Column> &registerColumns, std::span<const Column> threadColumns,
                        bool withPartials) const {
    unsigned first = unsigned(registerSteps.size() + laneSteps.size());
    std::vector<uint64_t> packed;
    auto pack = [&](std::span<const Column> part) {
      for (const Column &column : part)
        packed.push_back(column.out | (withPartials ? column.axis >> first << outBits : 0));
    };
    pack(registerColumns);
    pack(threadColumns);
    return LinearLayout::fromColumns({{Dim::Register, unsigned(registerColumns.size())},
                                      {Dim::Lane, LaneBits},
                                      {Dim::Warp, threadBits - LaneBits}},
                                     {{Dim::Dim0, outBits}, {Dim::Dim1, withPartials ? warpSteps : 0}},
                                     packed);
  }

  std::span<const Column> threadsNow() const { return std::span(columns).subspan(registerBits); }

  /// Returns how many of the partial results' bits lanes take over: as many as reduce the steps. Reading and
  /// combining P in a thread takes about P/4 + P steps, a shuffle and a combination about 3.
  size_t partialsInLanes(size_t idleLanes) const {
    if (!traits.commutes)
      return 0; // lanes would see the partial results in different orders
    size_t best = 0, bestCost = ~size_t(0);
    for (size_t lanes = 0; lanes <= std::min<size_t>(idleLanes, warpSteps); ++lanes) {
      size_t inThread = size_t(1) << (warpSteps - lanes);
      size_t cost =
          ((inThread + inThread / 4) << targetRegisters.size()) + (3 * lanes << targetRegisters.size());
      if (cost < bestCost)
        best = lanes, bestCost = cost;
    }
    return best;
  }

  void roundTrip() {
    unsigned first = unsigned(registerSteps.size() + laneSteps.size());
    std::vector<unsigned> idle; // lanes that hold copies of results only
    for (unsigned bit = 0; bit < LaneBits; ++bit)
      if (!targetThreads[bit].out)
        idle.push_back(bit);
    size_t inLanes = partialsInLanes(idle.size()), inThread = warpSteps - inLanes;
    std::vector<Column> toRegisters, toThreads(targetThreads);
    for (size_t i = 0; i < inThread; ++i)
      toRegisters.push_back({0, uint64_t(1) << (first + i)});
    for (Column column : targetRegisters)
      toRegisters.push_back({column.out, 0});
    for (Column &column : toThreads)
      column.axis = 0;
    for (size_t i = 0; i < inLanes; ++i)
      toThreads[idle[i]].axis = uint64_t(1) << (first + inThread + i);

    ReductionStep step;
    step.kind = ReductionStep::RoundTrip;
    LinearLayout from = layoutOf(registers, threadsNow(), true), to = layoutOf(toRegisters, toThreads, true);
    for (unsigned bytes : elementBytes) {
      step.roundTrips.push_back(planRoundTrip(from, to, threadBits, bytes));
      step.offsets.push_back(plan.bytes);
      constexpr unsigned alignment = MaxVectorBits / 8;
      plan.bytes += (step.roundTrips.back().bytes + alignment - 1) / alignment * alignment;
    }
    plan.warps = 1u << warpSteps;
    add(std::move(step));

    registers = targetRegisters;
    uint32_t values = 1u << registers.size();
    for (size_t left = inThread; left-- > 0;) {
      // The partial result's number is in the lowest bits of a value's; its highest bit meets first.
      ReductionStep fold;
      uint32_t half = 1u << left;
      for (uint32_t value = 0; value < values; ++value)
        for (uint32_t partial = 0; partial < half; ++partial)
          addPair(fold, value << (left + 1) | partial, value << (left + 1) | half | partial, 0, 0);
      add(std::move(fold));
    }
    for (size_t i = 0; i < inLanes; ++i) {
      ReductionStep shuffle;
      shuffle.kind = ReductionStep::Butterfly;
      shuffle.lanes = 1u << idle[i];
      for (uint32_t value = 0; value < values; ++value)
        addPair(shuffle, value, value, 0, 0);
      add(std::move(shuffle));
    }
  }

  void findResults() {
    std::unordered_map<uint64_t, uint32_t> valueAt;
    for (uint32_t value = 0; value < 1u << registers.size(); ++value) {
      uint64_t out = 0;
      for (unsigned bit = 0; bit < registers.size(); ++bit)
        out ^= value >> bit & 1 ? registers[bit].out : 0;
      valueAt.try_emplace(out, value);
    }
    std::vector<uint64_t> outs{0};
    for (unsigned bit = 0; bit < registerBits; ++bit)
      if (uint64_t out = columns[bit].out)
        for (size_t i = 0, half = outs.size(); i < half; ++i)
          outs.push_back(outs[i] ^ out);
    for (uint64_t out : outs)
      plan.results.push_back(valueAt.at(out));
  }

  unsigned registerBits, threadBits, outBits = 0;
  std::span<const unsigned> elementBytes;
  CombineTraits traits;
  std::vector<Column> columns; ///< registers, lanes, warps
  std::vector<Place> kernel, registerSteps, laneSteps;
  unsigned warpSteps = 0;
  bool ordered = false;
  std::vector<Column> registers;                      ///< the meaning of the bits of a value's number
  std::vector<uint32_t> compact;                      ///< the original register bit of each
  std::vector<Column> targetRegisters, targetThreads; ///< of the result
  ReductionPlan plan;
};

} // namespace

ReductionPlan planReduction(const LinearLayout &layout, unsigned axis, unsigned threadBits,
                            std::span<const unsigned> elementBytes, CombineTraits traits) {
  return Planner(layout, axis, threadBits, elementBytes, traits).run();
}

} // namespace tegula
