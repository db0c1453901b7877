#include "compiler/plan/BroadcastPlan.h"

#include "dialect/layout/F2.h"

#include <set>

namespace tegula {
namespace {

/// Past this many values of the register choice, selects cost more than shared memory does.
constexpr size_t MaxChoices = 4;

/// The sum of bits that stay which makes a thread bit whose threads hold mere copies: a copy at thread t,
/// register r is thread `t ^ bit ^ threads`, register `r ^ registers`.
struct Copy {
  uint32_t registers = 0, threads = 0;
};

/// Returns the copies by thread bit; zeros for bits that are not in `copyBits`.
std::vector<Copy> copiesOf(const LinearLayout &layout, unsigned threadBits, uint32_t copyBits) {
  F2Echelon kept;
  unsigned registerBits = layout.inBits(Dim::Register);
  for (unsigned bit = 0; bit < registerBits; ++bit)
    kept.insert(layout.column(Dim::Register, bit), bit);
  std::vector<uint64_t> columns = threadColumns(layout, threadBits);
  for (unsigned bit = 0; bit < threadBits; ++bit)
    if (!(copyBits >> bit & 1))
      kept.insert(columns[bit], registerBits + bit);
  std::vector<Copy> copies(threadBits);
  for (unsigned bit = 0; bit < threadBits; ++bit)
    if (copyBits >> bit & 1) {
      uint64_t sum = kept.solve(columns[bit]).value_or(0);
      copies[bit] = {uint32_t(sum & ((uint64_t(1) << registerBits) - 1)), uint32_t(sum >> registerBits)};
    }
  return copies;
}

} // namespace

BroadcastPlan planBroadcast(const LinearLayout &layout, unsigned threadBits, unsigned elementBytes) {
  AccessPlan access = planAccess(layout, threadBits, {}, 8 * elementBytes);
  BroadcastPlan plan;
  if (!access.copyBits)
    return plan;
  std::vector<Copy> copies = copiesOf(layout, threadBits, access.copyBits);
  bool crosses = access.copyBits >> LaneBits != 0;
  plan.shuffle.registers = access.original;
  plan.shuffle.lanes.assign(access.original.size(), 0);
  for (unsigned bit = 0; bit < threadBits; ++bit) {
    crosses |= copies[bit].threads >> LaneBits != 0;
    bool stays = bit < LaneBits && !(access.copyBits >> bit & 1);
    plan.shuffle.threadLanes.push_back(stays ? 1u << bit : copies[bit].threads);
    plan.shuffle.threadRegisters.push_back(copies[bit].registers);
  }
  const std::vector<uint32_t> choices = allSums(plan.shuffle.threadRegisters);
  const std::set<uint32_t> distinct(choices.begin(), choices.end());
  plan.shuffle.choices.assign(distinct.begin(), distinct.end());
  plan.kind = BroadcastPlan::Shuffle;
  if (crosses || distinct.size() > MaxChoices) {
    plan.kind = BroadcastPlan::Shared;
    plan.shared = planRoundTrip(layout, layout, threadBits, elementBytes);
  }
  return plan;
}

} // namespace tegula
