// The pass `coalesce`: Passes.td says what it is for.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/access/BoxAccess.h"
#include "compiler/analysis/access/FactCauses.h"
#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/plans/LoopStages.h"
#include "compiler/distribute/AccessCost.h"
#include "compiler/distribute/BlockedChoice.h"
#include "compiler/distribute/OperandFlows.h"
#include "compiler/distribute/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

#include <functional>
#include <limits>

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_COALESCEPASS
#include "compiler/distribute/Passes.h.inc"

namespace {

struct Access {
  Operation *op;
  RankedTensorType type; ///< of the pointers
  MemoryAccess facts;
  bool oneByOne;                ///< each element apart from the next, at computed addresses
  OperandFlows::Id operandFlow; ///< the flow of a load that only loads operands of dots
  OperandFlows::Id flow;        ///< with whatever meets its data
  unsigned group = 0;           ///< index of its `Group`
};

/// Accesses that share a layout, since data often goes from one to the other. Between an operand of a dot and
/// the dot's result it does not: what suits bytes that are loaded would only spoil how wider sums are stored.
struct Group {
  ArrayRef<int64_t> shape;
  SmallVector<unsigned, 2> order;
  unsigned warps; ///< that execute its accesses
  int64_t perThread = 1;
  /// The number of elements that one instruction stores for a thread, by the widest that are stored: with
  /// more, each instruction would leave gaps, and fill every sector by half.
  int64_t mostStored = std::numeric_limits<int64_t>::max();
  /// True if one of them takes elements that are apart, at computed addresses. Neighbouring threads had
  /// better take neighbouring elements there: they might touch as many sectors for each of `perThread`
  /// requests otherwise.
  bool oneByOne = false;
  /// True if all are loads of operands of dots, each element by an instruction of its own (`isScattered`).
  bool isScattered = true;
  /// Neighbours along the second axis of `order` that a load finds at one address, and that a thread would
  /// load once.
  int64_t atOneAddress = 1;
  tile::LayoutAttr layout;
};

/// Elements of two bytes that one access of a thread has at most.
constexpr int64_t HalvesPerAccess = MaxAccessBytes / 2;

/// The number of ops that are looked at to tell where addresses come from.
constexpr unsigned MaxAddressOps = 128;

/// True if the addresses follow from positions by arithmetic alone, so that near positions have near ones;
/// not for addresses that are loaded.
bool isComputed(Value pointer) {
  llvm::SmallSetVector<Value, 16> reached;
  reached.insert(pointer);
  bool varies = false;
  for (unsigned i = 0; i < reached.size(); ++i) {
    Operation *op = reached[i].getDefiningOp();
    if (i >= MaxAddressOps || (op && isa<tile::GlobalAccessOpInterface>(op)))
      return false;
    varies |= op && isa<tile::ArangeOp>(op);
    if (op)
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          reached.insert(operand);
  }
  return varies;
}

/// The accesses of one kernel and the layouts that they agree on.
class Coalescer {
public:
  Coalescer(func::FuncOp function, const AxisInfoAnalysis &facts)
      : function(function), facts(facts), target(targetOf(function)), executors(function), flows(function) {}

  void run() {
    function.walk([&](Operation *op) {
      std::optional<MemoryAccess> access = analyzeAccess(op, facts);
      if (!access)
        return;
      Value pointer = tile::globalAccessOf(op).address;
      bool isRepeated = facts.of(pointer)[access->order.front()].constancy > 1;
      bool oneByOne = !access->hasOrder && !isRepeated && isComputed(pointer);
      accesses.push_back({op, cast<RankedTensorType>(pointer.getType()), std::move(*access), oneByOne,
                          flows.of(op), flows.whole(op)});
      if (oneByOne)
        flowsApart.insert(accesses.back().flow);
    });
    // Those that know their order come first: the others have no reason to prefer another one.
    for (bool hasOrder : {true, false})
      for (Access &access : accesses)
        if (access.facts.hasOrder == hasOrder)
          join(access);
    findCombinedAxes();
    for (Group &group : groups)
      group.perThread = std::min(group.perThread, group.mostStored);
    for (unsigned i = 0, count = unsigned(groups.size()); i < count; ++i)
      if (groups[i].oneByOne && groups[i].perThread > 1)
        weigh(i);
    for (Group &group : groups)
      group.layout = layoutFor(group, group.perThread);
    for (Access &access : accesses)
      apply(access.op, groups[access.group].layout);
  }

private:
  /// Returns how many elements every thread of a group has, if all are to have some.
  static int64_t available(const Group &group) {
    int64_t elements = 1;
    for (int64_t side : group.shape)
      elements *= side;
    return std::max<int64_t>(1, elements / (int64_t(group.warps) << LaneBits));
  }

  /// True for operands of dots in a loop of several stages, which are laid out to be copied straight into
  /// shared memory. Of threads that hold the same elements one copies them, so that long runs in few threads
  /// cost nothing and take the fewest instructions; what goes through registers would be loaded by all of
  /// them.
  bool isCopied(const Access &access) const {
    auto loop = dyn_cast<scf::ForOp>(access.op->getParentOp());
    return access.operandFlow && flows.onlyMoves(access.operandFlow) && loop && stagesOf(loop) > 1;
  }

  /// True of operands of two bytes that have no neighbours in memory that are known of, as in a matrix whose
  /// rows have an odd number of them: copies are of four bytes, so these come through registers.
  bool isScattered(const Access &access) const {
    auto load = dyn_cast<tile::LoadOp>(access.op);
    return load && access.operandFlow && access.facts.elementBytes == 2 && access.facts.run() == 1 &&
           !isForTma(load);
  }

  /// True where TMA can bring rows whose elements have no neighbours under one mask: it bounds rows by
  /// itself.
  static bool isForTma(tile::LoadOp load) {
    const Decision<Box> box = boxOf(load);
    if (!box || !isa<scf::ForOp>(load->getParentOp()))
      return false;
    const BoxAxis *rows = llvm::find_if(box->axes, std::mem_fn(&BoxAxis::isContiguous));
    return rows != box->axes.end() && box->areStridesAligned(*rows, HalvesPerAccess);
  }

  /// Finds out along which axis tensors of each shape are reduced and scanned; nothing where it is along
  /// several.
  void findCombinedAxes() {
    auto note = [](AxesByShape &axes, ArrayRef<int64_t> shape, unsigned axis) {
      auto [found, isNew] = axes.try_emplace(shape, axis);
      if (!isNew && found->second != axis)
        found->second = std::nullopt;
    };
    function.walk([&](Operation *op) {
      if (auto reduce = dyn_cast<tile::ReduceOp>(op))
        note(reducedAxes, reduce.getSourceShape(), reduce.getAxis());
      else if (auto scan = dyn_cast<tile::ScanOp>(op))
        note(scannedAxes, scan.getShape(), scan.getAxis());
    });
  }

  /// Returns how many neighbours along the second axis of its order `access` finds at one address, under one
  /// mask bit.
  int64_t atOneAddress(const Access &access) const {
    auto load = dyn_cast<tile::LoadOp>(access.op);
    if (!load || access.facts.order.size() < 2)
      return 1;
    const SmallVector<unsigned, 4> groups = oneAddressGroups(load, facts);
    return groups.empty() ? 1 : groups[access.facts.order[1]];
  }

  void join(Access &access) {
    ArrayRef<int64_t> shape = access.type.getShape();
    // Elements that are apart are no reason for data that they never join.
    OperandFlows::Id flow = flowsApart.contains(access.flow) ? access.flow : access.operandFlow;
    SmallVector<unsigned, 1> &candidates = groupsOf[{flow, shape}];
    unsigned warps = executors.of(access.op).warps;
    auto fits = [&](unsigned i) {
      return groups[i].warps == warps && (groups[i].order == access.facts.order || !access.facts.hasOrder);
    };
    auto found = llvm::find_if(candidates, fits);
    if (found == candidates.end()) {
      candidates.push_back(unsigned(groups.size()));
      groups.push_back({shape, access.facts.order, warps});
      found = std::prev(candidates.end());
    }
    access.group = *found;
    Group &group = groups[access.group];
    int64_t run = access.facts.run();
    group.perThread = std::max(group.perThread, isCopied(access) ? run : std::min(run, available(group)));
    group.oneByOne |= access.oneByOne;
    group.isScattered = group.isScattered && isScattered(access);
    group.atOneAddress = std::max(group.atOneAddress, atOneAddress(access));
    if (isa<tile::StoreOp>(access.op) && run * access.facts.elementBytes >= MaxAccessBytes)
      group.mostStored = std::min(group.mostStored, run);
  }

  static void apply(Operation *op, tile::LayoutAttr layout) {
    for (OpOperand &operand : op->getOpOperands())
      if (!isa<tile::BoxType>(operand.get().getType()))
        convertOperand(operand, layout);
    convertResults(op, layout);
  }

  tile::LayoutAttr layoutFor(const Group &group, int64_t perThread) {
    SmallVector<int64_t, 2> each = {perThread};
    std::optional<unsigned> lastForWarps = reducedAxes.lookup(group.shape);
    // A thread takes as many elements of a column as one instruction stores, and few columns: each has an
    // index of its own, which is the same in all iterations. Lanes still take neighbours.
    if (group.isScattered && perThread == 1 && group.shape.size() > 1) {
      each.push_back(std::min({group.shape[group.order[1]], available(group), HalvesPerAccess}));
      lastForWarps = lastForWarps.value_or(group.order[0]);
    } else if (const int64_t most = neighboursAcross(group, perThread); most > 1) {
      each.push_back(std::min(most, std::max<int64_t>(1, available(group) / perThread)));
    }
    return blockedLayout(function.getContext(), group.shape, group.order, each, group.warps, lastForWarps);
  }

  /// Returns how many of a thread's elements along the second axis are to be neighbours. Where it is scanned
  /// all are: the thread combines them by itself, and tells other threads one total and not one for each;
  /// lanes still take the columns next to each other. So are those that have one address, which a thread
  /// loads once, where a warp takes a whole row, so that nothing else changes.
  int64_t neighboursAcross(const Group &group, int64_t perThread) const {
    if (group.order.size() < 2)
      return 1;
    if (scannedAxes.lookup(group.shape) == group.order[1])
      return group.shape[group.order[1]];
    return group.shape[group.order[0]] >= perThread << LaneBits ? group.atOneAddress : 1;
  }

  /// Decides for a group of which some accesses want several elements a thread and others, that lie apart,
  /// one: one for all, several for all, or layouts of their own for those that lie apart, with a change of
  /// layout for each. The cheapest for a warp wins; where nothing is known of the addresses of those apart,
  /// one for all.
  void weigh(unsigned number) {
    Group group = groups[number];
    tile::LayoutAttr narrow = layoutFor(group, 1), wide = layoutFor(group, group.perThread);
    unsigned threadBits = LaneBits + llvm::Log2_32(group.warps);
    Costs costs;
    SmallVector<Access *> moved;
    for (Access &access : accesses) {
      if (access.group != number)
        continue;
      std::optional<double> one = accessCost(access.op, access.facts, narrow, threadBits),
                            several = accessCost(access.op, access.facts, wide, threadBits);
      if (!one || !several) {
        if (!access.oneByOne)
          continue; // addresses from memory: as far apart in the one as in the other
        costs.several = costs.mixed = std::numeric_limits<double>::infinity();
        break;
      }
      costs.one += *one, costs.several += *several;
      double change =
          canChangeLayout(access) ? *one + changeCost(access, narrow, wide, threadBits) : *several;
      costs.mixed += std::min(change, *several);
      if (change < *several)
        moved.push_back(&access);
    }
    report(number, costs);
    if (costs.one <= std::min(costs.several, costs.mixed)) {
      groups[number].perThread = 1;
      return;
    }
    if (moved.empty() || costs.several <= costs.mixed)
      return;
    for (Access *access : moved)
      access->group = unsigned(groups.size());
    group.perThread = 1;
    groups.push_back(group);
  }

  /// The costs that an iteration of `weigh` adds up, in the times of `accessCost`.
  struct Costs {
    double one = 0, several = 0, mixed = 0;
  };

  /// False for a load of a vector: it is made in whatever layout its users have.
  static bool canChangeLayout(const Access &access) {
    auto isLong = [](int64_t side) { return side > 1; };
    return isa<tile::StoreOp>(access.op) || llvm::count_if(access.type.getShape(), isLong) > 1;
  }

  /// Returns the cost for a warp of moving the data of `access` from one layout to the other.
  static double changeCost(const Access &access, tile::LayoutAttr narrow, tile::LayoutAttr wide,
                           unsigned threadBits) {
    bool isStore = isa<tile::StoreOp>(access.op);
    return conversionCost(isStore ? wide : narrow, isStore ? narrow : wide, access.facts.elementBytes,
                          threadBits);
  }

  /// Returns what keeps the accesses of a group from being wide: the access of elements that lie apart, and
  /// why these do.
  Reason whyNarrow(unsigned number) const {
    Reason reason =
        because("it meets an access of elements that lie apart")
            .fixedBy("transpose the smaller of the two arrays once (`tl.trans`), or split the kernel");
    auto apart = llvm::find_if(
        accesses, [&](const Access &access) { return access.group == number && access.oneByOne; });
    if (apart == accesses.end())
      return reason;
    reason.causes.push_back({"elements that lie apart are accessed here", apart->op->getLoc()});
    Reason limit = reasonOfLimit(apart->op, apart->facts, facts);
    reason.causes.insert(reason.causes.end(), limit.causes.begin(), limit.causes.end());
    if (!limit.advice.change.empty())
      reason.advice = limit.advice;
    return reason;
  }

  /// Tells what kept accesses that could be wide from being so, or that they are though others lie apart.
  void report(unsigned number, const Costs &costs) {
    bool isNarrow = costs.one <= std::min(costs.several, costs.mixed);
    for (const Access &access : accesses) {
      if (access.group != number || access.facts.run() == 1)
        continue;
      auto options = remarkOptions("coalesce", nameOfAccess(access.op), function);
      auto tell = [&](auto &&remark, int64_t elements) {
        remark << remark::add("{0} of {1} neighbouring elements in each thread", elements, access.facts.run())
               << whyNarrow(number) << remark::metric("CostOfOne", llvm::formatv("{0:f0}", costs.one).str())
               << remark::metric("CostOfSeveral",
                                 llvm::formatv("{0:f0}", std::min(costs.several, costs.mixed)).str());
      };
      int64_t several = std::min<int64_t>(access.facts.run(), groups[number].perThread);
      if (isNarrow)
        tell(remark::missed(access.op->getLoc(), options), 1);
      else
        tell(remark::passed(access.op->getLoc(), options), several);
    }
  }

  func::FuncOp function;
  const AxisInfoAnalysis &facts;
  const Target *target; ///< null where nothing is known of it
  Executors executors;
  OperandFlows flows;
  SmallVector<Access> accesses;
  SmallVector<Group> groups;
  llvm::DenseSet<OperandFlows::Id> flowsApart; ///< those in which something lies apart
  llvm::DenseMap<std::pair<OperandFlows::Id, ArrayRef<int64_t>>, SmallVector<unsigned, 1>>
      groupsOf; ///< of a flow and shape; types own shapes
  using AxesByShape = llvm::DenseMap<ArrayRef<int64_t>, std::optional<unsigned>>;
  AxesByShape reducedAxes, scannedAxes; ///< by the shape of what is reduced, and of what is scanned
};

class Coalesce : public impl::CoalescePassBase<Coalesce> {
  void runOnOperation() override {
    const AxisInfoAnalysis &facts = getAnalysis<AxisInfoAnalysis>();
    for (func::FuncOp function : kernelsOf(getOperation())) {
      if (failed(requireLayouts(function)))
        return signalPassFailure();
      Coalescer(function, facts).run();
    }
  }
};

} // namespace

} // namespace tegula
