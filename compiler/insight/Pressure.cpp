// Registers that tensors hold, op by op.
#include "compiler/analysis/resources/RegisterCount.h"
#include "compiler/insight/InsightReader.h"
#include "compiler/insight/Tensors.h"
#include "dialect/tile/Tile.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tegula::insight {

namespace {

/// The ops of a module by their number in the text.
struct Order {
  explicit Order(ModuleOp module) {
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      starts[op] = unsigned(ops.size());
      ops.push_back(op);
    });
    for (Operation *op : llvm::reverse(ops)) {
      const unsigned end = std::max(ends.lookup(op), starts.lookup(op));
      ends[op] = end;
      if (Operation *parent = op->getParentOp())
        ends[parent] = std::max(ends.lookup(parent), end);
    }
  }
  llvm::SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> starts, ends; ///< `ends`: of the last op inside
};

/// The ops from which on a value lives, and up to which: the last one is not counted, as it may write over
/// its operands. What comes from outside of a loop lives to the loop's end; what a loop begins with is the
/// loop's from there on, and what an iteration hands on becomes the next one's.
std::pair<unsigned, unsigned> lifeOf(mlir::Value value, const Order &order) {
  Operation *const maker = value.getDefiningOp();
  const unsigned from =
      maker ? order.ends.lookup(maker) : order.starts.lookup(value.getParentBlock()->getParentOp());
  unsigned to = from;
  for (Operation *user : value.getUsers()) {
    Operation *at = user;
    while (at && at->getBlock() != value.getParentBlock())
      at = at->getParentOp();
    if (at)
      to = std::max(to, at == user ? order.starts.lookup(at) : order.ends.lookup(at));
  }
  return {from, to};
}

/// Returns whether the elements of a result are those of tensors of addresses or constants, moved or offset.
bool keepsAddresses(Operation *op) {
  return isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::AddPtrOp, tile::ArangeOp,
             arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::CmpIOp, arith::AndIOp,
             arith::ExtSIOp>(op);
}

/// The tensors whose elements differ by numbers that are known, so that a thread needs to hold one of them.
llvm::DenseSet<mlir::Value> addressesOf(const Order &order) {
  llvm::DenseSet<mlir::Value> addresses;
  const auto isAddress = [&](mlir::Value value) {
    return !isa<RankedTensorType>(value.getType()) || addresses.contains(value);
  };
  for (Operation *op : order.ops) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (auto [init, argument, result] :
           llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults()))
        if (isa<tile::PtrType>(tile::elementTypeOf(init.getType())) && isAddress(init))
          addresses.insert_range(mlir::ValueRange{argument, result});
    if (keepsAddresses(op) && llvm::all_of(op->getOperands(), isAddress))
      addresses.insert_range(op->getResults());
  }
  return addresses;
}

} // namespace

void InsightReader::readPressure(ModuleOp module, const Reading &reading) {
  const Order order(module);
  const llvm::DenseSet<mlir::Value> addresses = addressesOf(order);
  // Registers that begin and end to be held, as differences from op to op.
  std::vector<int64_t> changes(order.ops.size() + 1);
  struct Held {
    Index value;
    unsigned from, to;
    uint32_t registers;
  };
  std::vector<Held> held;
  for (auto [value, number] : reading.values) {
    uint32_t registers = insight.values[size_t(number)].registers;
    if (addresses.contains(value))
      registers =
          std::min(registers, bitsOfElement(tensorOf(value.getType()).getElementType()) > 32 ? 2u : 1u);
    const auto [from, to] = lifeOf(value, order);
    if (registers == 0 || to <= from)
      continue;
    changes[from] += registers;
    changes[to] -= registers;
    held.push_back({number, from, to, registers});
  }
  insight.pressure = {reading.stage, {}, {}};
  int64_t present = 0;
  unsigned peakAt = 0;
  for (unsigned at = 0; at < order.ops.size(); ++at) {
    present += changes[at];
    const uint32_t line = reading.lineOf(order.ops[at]);
    if (!line)
      continue;
    auto &rows = insight.pressure.rows;
    if (rows.empty() || rows.back().textLine != line)
      rows.push_back({line, 0});
    rows.back().registers = std::max(rows.back().registers, uint32_t(present));
    if (uint32_t(present) > insight.pressure.peak.registers) {
      peakAt = at;
      insight.pressure.peak.textLine = line;
      insight.pressure.peak.registers = uint32_t(present);
      insight.pressure.peak.place = places.of(order.ops[at]->getLoc());
    }
  }
  auto &holders = insight.pressure.peak.holders;
  for (const Held &one : held)
    if (one.from <= peakAt && peakAt < one.to)
      holders.push_back({one.value, one.registers});
  llvm::sort(holders, [](const auto &a, const auto &b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
}

} // namespace tegula::insight
