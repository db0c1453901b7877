#include "compiler/schedule/plan/PrefetchCandidates.h"
#include "compiler/analysis/access/PointerRoot.h"
#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tegula {

namespace {

/// Ops that may compute the operands of one loop's loads: each is repeated in every stage.
constexpr unsigned MaxAddressOps = 256;

constexpr const char *OrdersMemory = "its atomic ops or barriers order memory";

/// The name of the parameter that `base` is.
std::string nameOf(Value base) {
  tile::ParamAttr param = paramOf(base);
  return param ? "`" + param.getName().str() + "`" : "a computed pointer";
}

/// Returns whether a dot takes what `load` reads, by way of a buffer or of ops that compute from
/// it.
bool isTakenByDot(tile::LoadOp load) {
  llvm::SetVector<Operation *> users(load->user_begin(), load->user_end());
  for (unsigned i = 0; i < users.size(); ++i) {
    if (isa<tile::DotOp, tgpu::MmaOp, tgpu::LocalStoreOp>(users[i]))
      return true;
    // What a branch yields, others use as its result.
    Operation *branch = isa<scf::YieldOp>(users[i]) ? users[i]->getParentOp() : nullptr;
    Operation *maker = isa_and_nonnull<scf::IfOp>(branch) ? branch : users[i];
    users.insert(maker->user_begin(), maker->user_end());
  }
  return false;
}

class Finder {
public:
  explicit Finder(scf::ForOp loop) : loop(loop), body(loop.getBody()) {}

  PrefetchCandidates run() {
    findWrites();
    if (found.obstacle)
      return std::move(found);
    for (Operation &op : *body)
      if (auto load = dyn_cast<tile::LoadOp>(op))
        consider(load);
    // An index runs ahead with each load that it tells the place of, and needs no stage of its own.
    llvm::erase_if(found.loads, [&](tile::LoadOp load) { return indices.contains(load); });
    if (found.loads.empty() && !found.obstacle)
      found.obstacle = because("no load in it follows the iterations").nothingToDo();
    return std::move(found);
  }

  llvm::SmallVector<tile::LoadOp> runFixed() {
    llvm::SmallVector<tile::LoadOp> fixed;
    findWrites();
    if (found.obstacle)
      return fixed;
    const bool mayChange = order || (!writes.empty() && !asksForStages());
    for (Operation &op : *body)
      if (auto load = dyn_cast<tile::LoadOp>(op))
        if (llvm::all_of(load->getOperands(), [&](Value v) { return loop.isDefinedOutsideOfLoop(v); }))
          if (Value base = baseOfPointer(load.getPointer());
              isConstantData(base) || (!mayChange && !writeTo(base)))
            fixed.push_back(load);
    return fixed;
  }

private:
  /// The first write that may change what is read through `base`.
  std::optional<Value> writeTo(Value base) const {
    for (Value write : writes)
      if (!write || !base || write == base)
        return write;
    return std::nullopt;
  }

  /// Collects where the body writes, and what orders memory.
  void findWrites() {
    using tile::Interaction;
    const KernelEffects inLoop(loop);
    for (const auto &[op, effects] : inLoop.all()) {
      if (effects.does(Interaction::AwaitsLaunches)) // which may write what is constant afterwards
        found.obstacle = because(op, OrdersMemory)
                             .fixedBy("move the atomic op or the barrier out of the loop, or annotate the "
                                      "parameter of an array that nothing writes `tl.const`");
      else if (effects.does(Interaction::TouchesMemory))
        order = because(op, "PTX by hand or a library's function may write memory")
                    .fixedBy("set `is_pure=True` on it, if it writes nothing");
      else if (effects.does(Interaction::PublishesWrites) || effects.access.isAtomic())
        order = because(op, OrdersMemory)
                    .fixedBy("move the atomic op or the barrier out of the loop, or annotate the parameter "
                             "of an array that nothing writes `tl.const`");
      else if (effects.access.writes)
        writes.push_back(effects.parameter());
      else if (effects.access.isVolatile)
        order = because(op, "a volatile load happens where it stands")
                    .fixedBy("move the volatile load out of the loop");
    }
  }

  void consider(tile::LoadOp load) {
    if (order && !isConstantData(baseOfPointer(load.getPointer())))
      return note(*order);
    std::optional<LoadAddresses> addresses = addressesOf(load, loop);
    if (!addresses)
      return note(because(load, "a load's address depends on what the loop computes")
                      .fixedBy("compute the address from the loop's counter, or from single numbers that are "
                               "loaded by it"));
    if (addresses->isSameEachTime)
      return; // the caches have it
    SmallVector<tile::LoadOp> reads = addresses->indices();
    reads.push_back(load);
    for (tile::LoadOp read : reads) {
      Value base = baseOfPointer(read.getPointer());
      if (isConstantData(base))
        continue;
      if (order)
        return note(*order);
      std::optional<Value> write = writeTo(base);
      if (!write && !writes.empty() && !asksForStages() && !isTakenByDot(load))
        write = writes.front();
      if (write)
        return note(because(load, "a store through {0} may change what is loaded through {1}", nameOf(*write),
                            nameOf(base))
                        .fixedBy(*write == base
                                     ? "store into an array of its own, or after the loop"
                                     : "if the arrays cannot overlap, ask for stages by `tl.range(..., "
                                       "num_stages=N)`; if they are one array, store after the loop"));
    }
    found.loads.push_back(load);
    indices.insert_range(addresses->indices());
  }

  /// Returns whether the author of this loop, not of the kernel, asks for stages.
  bool asksForStages() const {
    auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
    return hints && hints.getStages() > 1;
  }

  void note(Reason reason) {
    if (!found.obstacle)
      found.obstacle = std::move(reason);
  }

  scf::ForOp loop;
  Block *body;
  SmallVector<Value> writes;   ///< bases; null for unknown ones
  std::optional<Reason> order; ///< why nothing but constant data may be read earlier
  llvm::DenseSet<Operation *> indices;
  PrefetchCandidates found;
};

/// Returns whether `op` may be repeated, and run in another iteration's time: it has no effect, or it reads
/// one number, of which `Finder` sees to it that nothing changes it. Indices that are tensors would take
/// registers and, where the layout spreads them over threads, as many loads as what they tell the place of.
bool isRepeatable(Operation *op) {
  if (op->getNumRegions() != 0)
    return false;
  auto load = dyn_cast<tile::LoadOp>(op);
  return load ? !isa<RankedTensorType>(load.getType()) : isMemoryEffectFree(op);
}

} // namespace

SmallVector<tile::LoadOp> LoadAddresses::indices() const {
  SmallVector<tile::LoadOp> found;
  for (Operation *op : ops)
    if (auto load = dyn_cast<tile::LoadOp>(op))
      found.push_back(load);
  return found;
}

tile::LoadOp conditionalLoadOfDot(scf::ForOp loop) {
  tile::LoadOp found;
  loop.getBody()->walk([&](Operation *op) {
    if (isa<LoopLikeOpInterface>(op))
      return WalkResult::skip(); // that loop's own
    auto load = dyn_cast<tile::LoadOp>(op);
    if (!load || load->getBlock() == loop.getBody() || !isTakenByDot(load))
      return WalkResult::advance();
    found = load;
    return WalkResult::interrupt();
  });
  return found;
}

std::optional<LoadAddresses> addressesOf(tile::LoadOp load, scf::ForOp loop) {
  LoadAddresses addresses;
  SmallVector<Value> values(load->getOperands());
  llvm::DenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (!seen.insert(value).second || value.getParentBlock() != loop.getBody())
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      addresses.isSameEachTime = false;
      if (argument == loop.getInductionVar())
        continue;
      unsigned position = argument.getArgNumber() - loop.getNumInductionVars();
      addresses.carried.insert(position);
      values.push_back(loop.getBody()->getTerminator()->getOperand(position));
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op == load || !isRepeatable(op) || addresses.ops.size() >= MaxAddressOps)
      return std::nullopt;
    addresses.ops.insert(op);
    llvm::append_range(values, op->getOperands());
  }
  return addresses;
}

PrefetchCandidates findPrefetchCandidates(scf::ForOp loop) { return Finder(loop).run(); }

llvm::SmallVector<tile::LoadOp> findFixedLoads(scf::ForOp loop) { return Finder(loop).runFixed(); }

void maskLoad(OpBuilder &builder, tile::LoadOp load, Value condition) {
  Type type = tile::withElementType(load.getPointer().getType(), builder.getI1Type());
  Value mask = condition;
  if (isa<RankedTensorType>(type))
    mask = tile::SplatOp::create(builder, load.getLoc(), type, condition);
  if (load.getMask())
    mask = arith::AndIOp::create(builder, load.getLoc(), load.getMask(), mask);
  load.getMaskMutable().assign(mask);
}

} // namespace tegula
