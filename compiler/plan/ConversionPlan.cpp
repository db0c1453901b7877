#include "compiler/plan/ConversionPlan.h"
#include "dialect/layout/F2.h"

#include <cassert>
#include <set>

namespace tegula {
namespace {

/// The same map with registers, lanes and warps of the sizes that the machine has, and the outputs in
/// the order of `like`.
LinearLayout normalised(const LinearLayout &layout, const LinearLayout &like, unsigned threadBits) {
  std::vector<Dim> outs;
  for (DimBits out : like.outs())
    outs.push_back(out.dim);
  LinearLayout result = layout.transposeOuts(outs);
  std::vector<DimBits> ins{{Dim::Register, layout.inBits(Dim::Register)},
                           {Dim::Lane, LaneBits},
                           {Dim::Warp, threadBits - LaneBits}};
  std::vector<uint64_t> columns;
  columns.reserve(ins[0].bits + threadBits);
  for (unsigned bit = 0; bit < ins[0].bits; ++bit)
    columns.push_back(result.column(Dim::Register, bit));
  for (uint64_t column : threadColumns(result, threadBits))
    columns.push_back(column);
  return LinearLayout::fromColumns(ins, result.outs(), columns);
}

/// For every bit of a place of the new layout, the place where its element is now.
struct Origin {
  std::vector<uint32_t> registerRegisters, registerLanes, registerWarps; ///< by register bit
  std::vector<uint32_t> threadRegisters, threadLanes, threadWarps;       ///< by thread bit
};

Origin originOf(const LinearLayout &from, const LinearLayout &to, unsigned threadBits) {
  LinearLayout map = *invertAndCompose(to, from);
  // Bits of a thread's number that mean nothing in `from` are copies: every thread has the element, so
  // each may take it from the thread that agrees with itself in these bits.
  uint32_t freeLanes = from.freeVariableMask(Dim::Lane), freeWarps = from.freeVariableMask(Dim::Warp);
  Origin origin;
  for (unsigned bit = 0; bit < to.inBits(Dim::Register); ++bit) {
    origin.registerRegisters.push_back(map.basis(Dim::Register, bit, Dim::Register));
    origin.registerLanes.push_back(map.basis(Dim::Register, bit, Dim::Lane) & ~freeLanes);
    origin.registerWarps.push_back(map.basis(Dim::Register, bit, Dim::Warp) & ~freeWarps);
  }
  for (unsigned bit = 0; bit < threadBits; ++bit) {
    bool isLane = bit < LaneBits;
    Dim dim = isLane ? Dim::Lane : Dim::Warp;
    unsigned index = isLane ? bit : bit - LaneBits;
    uint32_t own = 1u << index;
    origin.threadRegisters.push_back(map.basis(dim, index, Dim::Register));
    origin.threadLanes.push_back((map.basis(dim, index, Dim::Lane) & ~freeLanes) |
                                 (isLane ? own & freeLanes : 0));
    origin.threadWarps.push_back((map.basis(dim, index, Dim::Warp) & ~freeWarps) |
                                 (isLane ? 0 : own & freeWarps));
  }
  return origin;
}

bool staysInWarp(const Origin &origin) {
  for (uint32_t warps : origin.registerWarps)
    if (warps)
      return false;
  for (unsigned bit = 0; bit < origin.threadWarps.size(); ++bit)
    if (origin.threadWarps[bit] != (bit < LaneBits ? 0 : 1u << (bit - LaneBits)))
      return false;
  return true;
}

ShufflePlan planShuffle(const Origin &origin) {
  ShufflePlan plan;
  plan.registers = allSums(origin.registerRegisters);
  plan.lanes = allSums(origin.registerLanes);
  plan.threadRegisters = origin.threadRegisters;
  plan.threadLanes = origin.threadLanes;
  const std::vector<uint32_t> chosen = allSums(origin.threadRegisters);
  const std::set<uint32_t> choices(chosen.begin(), chosen.end());
  plan.choices.assign(choices.begin(), choices.end());
  plan.butterfly = true;
  for (unsigned bit = 0; bit < plan.threadLanes.size(); ++bit)
    plan.butterfly &= plan.threadLanes[bit] == (bit < LaneBits ? 1u << bit : 0);
  return plan;
}

/// Instructions that read another lane: pairs of register and lane step, each used once.
size_t shuffleCount(const ShufflePlan &plan) {
  std::set<std::pair<uint32_t, uint32_t>> distinct;
  for (size_t r = 0; r < plan.registers.size(); ++r)
    if (!plan.butterfly || plan.lanes[r])
      for (uint32_t choice : plan.choices)
        distinct.insert({plan.registers[r] ^ choice, plan.lanes[r]});
  return distinct.size();
}

/// Past this many values of the register choice, selects cost more than shared memory does.
constexpr size_t MaxChoices = 4;
/// The cost of two barriers, in accesses of one register.
constexpr size_t BarrierCost = 8;

} // namespace

/// Plans all but the round trip through shared memory, and finds whether elements stay in their warps.
static std::pair<ConversionPlan, bool> planWithoutMemory(const LinearLayout &from, const LinearLayout &to,
                                                         unsigned threadBits) {
  LinearLayout source = normalised(from, from, threadBits), target = normalised(to, from, threadBits);
  ConversionPlan plan;
  Origin origin = originOf(source, target, threadBits);
  bool stays = staysInWarp(origin);
  if (stays) {
    plan.shuffle = planShuffle(origin);
    size_t shuffles = shuffleCount(plan.shuffle);
    size_t results = plan.shuffle.registers.size();
    if (shuffles == 0 && plan.shuffle.choices.size() == 1) {
      plan.kind = ConversionPlan::Registers;
      plan.registers = plan.shuffle.registers;
      return {std::move(plan), stays};
    }
    if (plan.shuffle.choices.size() <= MaxChoices && shuffles <= 2 * results + BarrierCost) {
      plan.kind = ConversionPlan::Shuffle;
      return {std::move(plan), stays};
    }
  }
  plan.kind = ConversionPlan::Shared;
  return {std::move(plan), stays};
}

ConversionPlan planConversion(const LinearLayout &from, const LinearLayout &to, unsigned threadBits,
                              unsigned elementBytes, MatrixMoves moves, uint32_t mostBytes) {
  auto [plan, stays] = planWithoutMemory(from, to, threadBits);
  if (plan.kind != ConversionPlan::Shared)
    return std::move(plan);
  plan.shared = planRoundTrip(from, to, threadBits, elementBytes, moves, mostBytes);
  // One of the warps that hold copies stores for all.
  plan.shared.withinWarp = stays && !(plan.shared.store.copyBits >> LaneBits);
  return std::move(plan);
}

ConversionRoute routeOfConversion(const LinearLayout &from, const LinearLayout &to, unsigned threadBits) {
  auto [plan, stays] = planWithoutMemory(from, to, threadBits);
  bool isCopied =
      plan.kind == ConversionPlan::Shared && planAccess(from, threadBits, {}, 8).copyBits >> LaneBits;
  return {plan.kind, stays && !isCopied};
}

std::optional<ShufflePlan> planLaneShuffle(const LinearLayout &from, const LinearLayout &to,
                                           unsigned threadBits) {
  Origin origin = originOf(normalised(from, from, threadBits), normalised(to, from, threadBits), threadBits);
  if (!staysInWarp(origin))
    return std::nullopt;
  return planShuffle(origin);
}

} // namespace tegula
