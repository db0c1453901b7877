#include "compiler/lower/AtomicPlan.h"

#include "dialect/layout/F2.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <set>

using namespace mlir;

namespace tegula {
namespace {

/// Past this many values of the register choice, selects cost more than shared memory does.
constexpr size_t MaxChoices = 4;

/// How a thread bit whose threads hold mere copies is made of the bits that stay: a copy at thread t,
/// register r is thread `t ^ bit ^ threads`, register `r ^ registers`.
struct Copy {
  uint32_t registers = 0, threads = 0;
};

/// By thread bit; zeros for bits that are not in `copyBits`.
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

/// Whether an op that reads or writes memory, or has another effect, may run after `op`.
bool isFollowed(Operation *op) {
  for (;; op = op->getParentOp()) {
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
      if (!isMemoryEffectFree(next))
        return true;
    Operation *parent = op->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      return false;
    if (!isa<scf::IfOp>(parent)) // a loop comes round to what stands before
      return true;
  }
}

} // namespace

SpreadPlan planSpread(const LinearLayout &layout, unsigned threadBits, unsigned elementBytes) {
  AccessPlan access = planAccess(layout, threadBits, {}, 8 * elementBytes);
  SpreadPlan plan;
  if (!access.copyBits)
    return plan;
  std::vector<Copy> copies = copiesOf(layout, threadBits, access.copyBits);
  bool crosses = access.copyBits >> LaneBits != 0;
  plan.shuffle.registers = access.original;
  plan.shuffle.lanes.assign(access.original.size(), 0);
  std::vector<uint32_t> choices{0};
  for (unsigned bit = 0; bit < threadBits; ++bit) {
    crosses |= copies[bit].threads >> LaneBits != 0;
    bool stays = bit < LaneBits && !(access.copyBits >> bit & 1);
    plan.shuffle.threadLanes.push_back(stays ? 1u << bit : copies[bit].threads);
    plan.shuffle.threadRegisters.push_back(copies[bit].registers);
    for (size_t i = 0, half = choices.size(); copies[bit].registers && i < half; ++i)
      choices.push_back(choices[i] ^ copies[bit].registers);
  }
  std::set<uint32_t> distinct(choices.begin(), choices.end());
  plan.shuffle.choices.assign(distinct.begin(), distinct.end());
  plan.kind = SpreadPlan::Shuffle;
  if (crosses || distinct.size() > MaxChoices) {
    plan.kind = SpreadPlan::Shared;
    plan.shared = planShared(layout, layout, threadBits, elementBytes);
  }
  return plan;
}

LinearLayout placesOf(Type type, unsigned threadBits) {
  if (tile::LayoutAttr layout = tile::layoutOf(type))
    return layout.getLayout();
  unsigned warpBits = threadBits - LaneBits;
  std::vector<uint64_t> columns(threadBits, 0);
  return LinearLayout::fromColumns(
      {{Dim::Register, 0}, {Dim::Lane, LaneBits}, {Dim::Warp, warpBits}, {Dim::Block, 0}},
      {{tensorDim(0), 0}}, columns);
}

SpreadPlan spreadPlanOf(Operation *atomic, unsigned threadBits) {
  Value result = atomic->getResult(0);
  if (result.use_empty())
    return {};
  Type element = tile::elementTypeOf(result.getType());
  unsigned bytes = isa<tile::PtrType>(element) ? 8 : element.getIntOrFloatBitWidth() / 8;
  return planSpread(placesOf(result.getType(), threadBits), threadBits, bytes);
}

llvm::DenseSet<Operation *> findLastAtomics(ModuleOp module) {
  llvm::DenseSet<Operation *> last;
  module.walk([&](Operation *op) {
    if (isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op) && !isFollowed(op))
      last.insert(op);
  });
  return last;
}

} // namespace tegula
