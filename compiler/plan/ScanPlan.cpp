#include "compiler/plan/ScanPlan.h"

#include "dialect/layout/Places.h"

#include <algorithm>
#include <bit>

namespace tegula {
namespace {

/// The kind of number that a bit of a place along the axis is a bit of.
enum class Holder : uint8_t { Register, Lane, Warp };

struct AxisBit {
  Holder holder;
  uint32_t bit; ///< of the register's number, or of the thread's
};

/// Registers that agree in the bits that are not yet done.
struct Group {
  std::vector<uint32_t> members; ///< numbers of registers, the first along the axis first
  uint32_t total = 0;            ///< value: of the whole block, known to all of its threads
  /// Value: what comes before the members from other threads; meant where the thread is not the first in
  /// `prefixFrom`.
  uint32_t prefix = 0;
  uint32_t prefixFrom = 0;
};

class Planner {
public:
  Planner(const LinearLayout &layout, unsigned axis, bool reverse, unsigned threadBits,
          std::span<const unsigned> elementBytes)
      : reverse(reverse), threadBits(threadBits), elementBytes(elementBytes) {
    readBits(layout, axis);
  }

  ScanPlan run() {
    for (size_t begin = 0, end = 0; begin < along.size(); begin = end) {
      while (end < along.size() && along[end].holder == along[begin].holder)
        ++end;
      std::span<const AxisBit> bits(along.data() + begin, end - begin);
      if (along[begin].holder == Holder::Register)
        scanRegisters(bits);
      else
        scanThreads(bits);
    }
    for (Group &group : groups)
      applyPrefix(group);
    findResults();
    return std::move(plan);
  }

private:
  /// Finds where each bit along the axis is, which registers hold what no other one does, and which threads
  /// do.
  void readBits(const LinearLayout &layout, unsigned axis) {
    unsigned registerBits = layout.inBits(Dim::Register);
    along.resize(layout.outBits(tensorDim(axis)));
    std::vector<uint64_t> threads = threadColumns(layout, threadBits);
    unsigned below = 0;
    for (unsigned i = 0; i < axis; ++i)
      below += layout.outs()[i].bits;
    auto note = [&](uint64_t column, Holder holder, uint32_t bit) {
      uint64_t step = column >> below & ((uint64_t(1) << along.size()) - 1);
      if (step)
        along[size_t(std::countr_zero(step))] = {holder, bit};
    };
    for (unsigned bit = 0; bit < registerBits; ++bit) {
      uint64_t column = layout.column(Dim::Register, bit);
      note(column, Holder::Register, uint32_t(1) << bit);
      if (column == 0)
        copies |= uint32_t(1) << bit;
    }
    for (unsigned bit = 0; bit < threadBits; ++bit) {
      note(threads[bit], bit < LaneBits ? Holder::Lane : Holder::Warp, uint32_t(1) << bit);
      if (threads[bit] == 0)
        doneThreads |= uint32_t(1) << bit;
    }
    values = uint32_t(1) << registerBits;
    element.resize(values);
    for (uint32_t reg = 0; reg < values; ++reg) {
      element[reg] = reg;
      if (!(reg & copies))
        groups.push_back({{reg}, reg, 0, 0});
    }
  }

  /// The value that `pair` makes.
  uint32_t combine(ScanStep::Pair pair) {
    if (plan.steps.empty() || plan.steps.back().kind != ScanStep::Combine)
      plan.steps.emplace_back();
    plan.steps.back().pairs.push_back(pair);
    ++plan.combinations;
    return values++;
  }

  /// Combines what lanes and warps have before the group with each of its members.
  void applyPrefix(Group &group) {
    if (!group.prefixFrom)
      return;
    for (uint32_t reg : group.members)
      element[reg] = combine({group.prefix, element[reg], group.prefixFrom});
    group.prefixFrom = 0;
  }

  /// Groups that differ in `bits` only become one: the sub-blocks one after the other.
  void scanRegisters(std::span<const AxisBit> bits) {
    uint32_t mask = 0;
    for (const AxisBit &bit : bits)
      mask |= bit.bit;
    std::vector<Group> merged;
    for (const Group &group : groups) {
      uint32_t number = group.members.front() & ~doneRegisters;
      if (number & mask)
        continue; // with the group whose bits are 0
      std::vector<Group *> parts;
      for (uint32_t index = 0; index < uint32_t(1) << bits.size(); ++index)
        parts.push_back(&groupOf(number | spread(bits, reverse ? ~index : index)));
      merged.push_back(join(parts));
    }
    groups = std::move(merged);
    doneRegisters |= mask;
  }

  /// The bits of `index` at the places of `bits`.
  static uint32_t spread(std::span<const AxisBit> bits, uint32_t index) {
    uint32_t number = 0;
    for (size_t i = 0; i < bits.size(); ++i)
      number |= index >> i & 1 ? bits[i].bit : 0;
    return number;
  }

  /// The group whose registers have `number` in the bits that are not done.
  Group &groupOf(uint32_t number) {
    return *std::find_if(groups.begin(), groups.end(), [&](const Group &group) {
      return (group.members.front() & ~doneRegisters) == number;
    });
  }

  Group join(std::span<Group *const> parts) {
    Group result = *parts.front();
    applyPrefix(result);
    for (Group *part : parts.subspan(1)) {
      bool isElement = part->members.size() == 1 && part->total == element[part->members.front()];
      uint32_t before = result.total;
      if (part->prefixFrom)
        before = combine({before, part->prefix, 0, part->prefixFrom});
      for (uint32_t reg : part->members) {
        element[reg] = combine({before, element[reg]});
        result.members.push_back(reg);
      }
      // The total of one element is what it has become.
      result.total = isElement ? element[part->members.front()] : combine({result.total, part->total});
    }
    return result;
  }

  /// A run of lanes or of warps.
  void scanThreads(std::span<const AxisBit> bits) {
    ScanStep step;
    step.kind = bits.front().holder == Holder::Lane ? ScanStep::Lanes : ScanStep::Warps;
    uint32_t mask = 0;
    for (const AxisBit &bit : bits) {
      step.bits.push_back(bit.bit);
      mask |= bit.bit;
    }
    for (const Group &group : groups)
      step.inputs.push_back(group.total);
    if (step.kind == ScanStep::Lanes)
      plan.shuffles += unsigned(bits.size() * groups.size());
    else
      placeSlots(step, bits, mask);
    plan.steps.push_back(std::move(step));
    uint32_t made = values;
    values += 2 * uint32_t(groups.size());
    for (Group &group : groups) {
      // The prefix of this run comes before that of an earlier one.
      group.prefix = group.prefixFrom ? combine({made, group.prefix, mask, group.prefixFrom}) : made;
      group.prefixFrom |= mask;
      group.total = made + 1;
      made += 2;
    }
    doneThreads |= mask;
  }

  /// The total of input i of warp w goes to slot `(i * warps + w) * threads + t`, t counting what is scanned
  /// side by side.
  void placeSlots(ScanStep &step, std::span<const AxisBit> bits, uint32_t mask) {
    uint32_t warps = uint32_t(1) << bits.size(), threads = 1;
    std::vector<uint32_t> slots;
    for (unsigned bit = 0; bit < threadBits; ++bit) {
      uint32_t own = uint32_t(1) << bit;
      auto found = std::find_if(bits.begin(), bits.end(), [&](const AxisBit &b) { return b.bit == own; });
      step.warpOf.push_back(found == bits.end() ? 0 : uint32_t(1) << (found - bits.begin()));
      bool tellsApart = !((mask | doneThreads) & own);
      slots.push_back(tellsApart ? threads : 0);
      threads <<= tellsApart;
    }
    for (unsigned bytes : elementBytes) {
      plan.bytes = (plan.bytes + MaxVectorBits / 8 - 1) / (MaxVectorBits / 8) * (MaxVectorBits / 8);
      step.offsets.push_back(plan.bytes);
      RoundTripPlan &trip = step.roundTrips.emplace_back();
      uint32_t inputs = uint32_t(step.inputs.size());
      trip.bytes = inputs * warps * threads * bytes;
      trip.store = spaced(inputs, 1, warps * threads * bytes);
      trip.store.copyBits = doneThreads;
      // With one slot for each warp a thread reads several at once.
      unsigned atOnce = threads == 1 ? std::min(inputs * warps, MaxVectorBits / 8 / bytes) : 1;
      trip.load = spaced(inputs * warps, atOnce, threads * bytes);
      for (unsigned bit = 0; bit < threadBits; ++bit) {
        trip.load.threadOffsets.push_back(slots[bit] * bytes);
        trip.store.threadOffsets.push_back((slots[bit] + step.warpOf[bit] * threads) * bytes);
      }
      plan.bytes += trip.bytes;
    }
    plan.warps *= warps;
  }

  /// `count` registers, `bytes` apart, of which each access takes `elements`.
  static SharedAccess spaced(uint32_t count, unsigned elements, uint32_t bytes) {
    SharedAccess access;
    access.elements = elements;
    for (uint32_t i = 0; i < count; ++i) {
      if (i % elements == 0) {
        access.vectors.emplace_back();
        access.offsets.push_back(i * bytes);
      }
      access.vectors.back().push_back(i);
      access.original.push_back(i);
    }
    return access;
  }

  void findResults() {
    for (uint32_t reg = 0; reg < element.size(); ++reg)
      plan.results.push_back(element[reg & ~copies]);
  }

  bool reverse;
  unsigned threadBits;
  std::span<const unsigned> elementBytes;
  std::vector<AxisBit> along;    ///< by bit of the place along the axis
  uint32_t copies = 0;           ///< bits of registers that lead to the same element
  uint32_t doneRegisters = 0;    ///< bits of registers that have been scanned
  uint32_t doneThreads = 0;      ///< of threads, those that hold copies included
  uint32_t values = 0;           ///< so far
  std::vector<uint32_t> element; ///< by register its value
  std::vector<Group> groups;
  ScanPlan plan;
};

} // namespace

ScanPlan planScan(const LinearLayout &layout, unsigned axis, bool reverse, unsigned threadBits,
                  std::span<const unsigned> elementBytes) {
  return Planner(layout, axis, reverse, threadBits, elementBytes).run();
}

} // namespace tegula
