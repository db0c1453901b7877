#include "compiler/insight/InsightReader.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/analysis/resources/RegisterLimit.h"
#include "compiler/analysis/resources/SharedMemory.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace mlir;

namespace tegula::insight {

/// Spells an element type as Triton does, where it does.
static std::string dtypeOf(Type type) {
  if (auto pointer = dyn_cast<tile::PtrType>(type))
    return "*" + dtypeOf(pointer.getPointee());
  if (type.isBF16())
    return "bf16";
  if (type.isF16() || type.isF32() || type.isF64())
    return "fp" + std::to_string(type.getIntOrFloatBitWidth());
  if (type.isInteger())
    return "i" + std::to_string(type.getIntOrFloatBitWidth());
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << type;
  return text;
}

/// The tensor that a value is, also while the product that makes it is computed; null for others.
static RankedTensorType tensorOf(Type type) {
  if (auto inFlight = dyn_cast<tgpu::InFlightType>(type))
    return inFlight.getTensor();
  return dyn_cast<RankedTensorType>(type);
}

static uint32_t bitsOf(Type element) {
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64; // a pointer
}

/// Registers of 32 bits that a thread needs for a tensor: elements that several of its registers hold count
/// once.
static uint32_t registersOf(RankedTensorType tensor) {
  const tile::LayoutAttr layout = tile::layoutOf(tensor);
  if (!layout)
    return 0;
  const LinearLayout &map = layout.getLayout();
  const uint64_t distinct =
      uint64_t(map.inSize(Dim::Register)) >> llvm::popcount(uint32_t(map.freeVariableMask(Dim::Register)));
  return uint32_t(llvm::divideCeil(distinct * bitsOf(tensor.getElementType()), 32));
}

uint32_t InsightReader::Reading::lineOf(Operation *op) const {
  auto found = lines.find(op);
  return found == lines.end() ? 0 : found->second.first;
}

Index InsightReader::layoutOf(const LinearLayout &map) {
  auto [found, isNew] = layouts.try_emplace(map.toString(), Index(insight.layouts.size()));
  if (!isNew)
    return found->second;
  Layout made;
  for (const DimBits &axis : map.ins())
    made.ins.push_back({std::string(dimName(axis.dim)), axis.bits});
  for (const DimBits &axis : map.outs())
    made.outs.push_back({std::string(dimName(axis.dim)), axis.bits});
  for (const DimBits &in : map.ins())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      std::vector<int32_t> &basis = made.bases.emplace_back();
      for (const DimBits &out : map.outs())
        basis.push_back(map.basis(in.dim, bit, out.dim));
    }
  insight.layouts.push_back(std::move(made));
  return found->second;
}

void InsightReader::readText(llvm::StringRef name, ModuleOp module, Reading &reading) {
  StageText stage;
  stage.name = name.str();
  llvm::raw_string_ostream stream(stage.text);
  module->print(stream, reading.state);
  stream << '\n';
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (const uint32_t line = reading.lineOf(op); line && op != module)
      if (const Index place = places.of(op->getLoc()); place != None)
        stage.spans.push_back({line, place});
  });
  llvm::stable_sort(stage.spans, [](const Span &a, const Span &b) { return a.line < b.line; });
  insight.stages.push_back(std::move(stage));
}

void InsightReader::readValue(mlir::Value value, Operation *op, const AxisInfoAnalysis *facts,
                              Reading &reading) {
  const RankedTensorType tensor = tensorOf(value.getType());
  if (!tensor)
    return;
  Value made;
  llvm::raw_string_ostream stream(made.ssa);
  value.printAsOperand(stream, reading.state);
  made.op = op->getName().getStringRef().str();
  made.place = places.of(value.getLoc());
  if (auto name = value.getLoc()->findInstanceOf<NameLoc>())
    made.name = name.getName().str();
  made.stage = reading.stage;
  made.textLine = reading.lineOf(op);
  made.dtype = dtypeOf(tensor.getElementType());
  made.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  if (const tile::LayoutAttr layout = tile::layoutOf(tensor))
    made.layout = layoutOf(layout.getLayout());
  made.registers = registersOf(tensor);
  if (const AxisInfo info = facts ? facts->of(value) : AxisInfo(); info.isComputed()) {
    Facts &known = made.facts.emplace();
    for (unsigned axis = 0; axis < info.rank(); ++axis) {
      known.contiguous.push_back(info[axis].contiguity);
      known.divisible.push_back(info[axis].divisibility);
      known.constancy.push_back(info[axis].constancy);
    }
    known.constant = info.constant();
  }
  reading.values.try_emplace(value, Index(insight.values.size()));
  insight.values.push_back(std::move(made));
}

void InsightReader::readConversions(ModuleOp module, const Reading &reading) {
  const auto numberOf = [&](mlir::Value value) {
    auto found = reading.values.find(value);
    return found == reading.values.end() ? None : found->second;
  };
  module.walk([&](tile::ConvertLayoutOp op) {
    if (!tile::layoutOf(op.getType()))
      return;
    Conversion made{places.of(op.getLoc()),   reading.stage,
                    reading.lineOf(op),       numberOf(op.getSource()),
                    numberOf(op.getResult()), ""};
    const ConversionRoute route = routeOf(op, executorOf(op));
    made.route = route.kind == ConversionPlan::Registers ? "registers"
                 : route.kind == ConversionPlan::Shuffle ? "shuffles"
                                                         : "shared memory";
    insight.conversions.push_back(std::move(made));
  });
}

/// The kind of step that an op of a loop is; empty for arithmetic.
static llvm::StringRef stepOf(Operation *op) {
  return llvm::StringSwitch<llvm::StringRef>(op->getName().getStringRef())
      .Cases({"tgpu.async_copy", "tgpu.tma_copy"}, "copy")
      .Cases({"tgpu.async_wait", "tgpu.barrier_wait", "tgpu.mma_wait", "tgpu.tma_store_wait"}, "wait")
      .Cases({"tgpu.mma", "tile.dot"}, "product")
      .Cases({"tgpu.barrier_arrive", "tgpu.barrier_expect", "tgpu.async_commit", "tgpu.cluster_barrier"},
             "barrier")
      .Cases({"tile.load", "tgpu.local_load"}, "load")
      .Cases({"tile.store", "tgpu.local_store", "tgpu.tma_store", "tile.atomic"}, "store")
      .Default("");
}

void InsightReader::readLoops(ModuleOp module, const Reading &reading) {
  module.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    Loop made{places.of(loop.getLoc()), reading.stage, reading.lineOf(loop), 1, {}, {}};
    llvm::SetVector<Operation *> buffers;
    loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getParentOfType<scf::ForOp>() != loop)
        return;
      if (const llvm::StringRef kind = stepOf(op); !kind.empty())
        made.steps.push_back({places.of(op->getLoc()), kind.str(), reading.lineOf(op)});
      for (mlir::Value operand : op->getOperands())
        if (auto alloc = operand.getDefiningOp<tgpu::AllocOp>())
          buffers.insert(alloc);
    });
    for (Operation *op : buffers) {
      auto alloc = cast<tgpu::AllocOp>(op);
      LoopBuffer buffer{places.of(op->getLoc()), "", alloc.getType().getSlots(), alloc.getType().getBytes()};
      llvm::raw_string_ostream stream(buffer.ssa);
      alloc.getResult().printAsOperand(stream, reading.state);
      made.stages = std::max(made.stages, buffer.slots);
      made.buffers.push_back(std::move(buffer));
    }
    insight.loops.push_back(std::move(made));
  });
}

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

} // namespace

void InsightReader::readPressure(ModuleOp module, const Reading &reading) {
  const Order order(module);
  // Registers that begin and end to be held, as differences from op to op.
  std::vector<int64_t> changes(order.ops.size() + 1);
  struct Held {
    Index value;
    unsigned from, to;
    uint32_t registers;
  };
  std::vector<Held> held;
  for (auto [value, number] : reading.values) {
    const uint32_t registers = insight.values[size_t(number)].registers;
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

void InsightReader::readStage(llvm::StringRef name, ModuleOp module) {
  AsmState::LocationMap lines;
  AsmState state(module, OpPrintingFlags(), &lines);
  Reading reading{Index(insight.stages.size()), state, lines};
  readText(name, module, reading);
  if (name == "llvm")
    return;
  std::optional<AxisInfoAnalysis> facts;
  if (name == "distributed")
    facts.emplace(module);
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (mlir::Value result : op->getResults())
      readValue(result, op, facts ? &*facts : nullptr, reading);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          readValue(argument, op, facts ? &*facts : nullptr, reading);
  });
  if (name != "scheduled")
    return;
  readConversions(module, reading);
  readLoops(module, reading);
  readPressure(module, reading);
  module.walk([&](Operation *op) {
    if (op->hasAttr("tile.kernel"))
      if (const Target *target = targetOf(op))
        insight.registerLimit = registerLimit(op, *target);
  });
}

static std::string pieceName(Operation *op) {
  if (isa<tgpu::AllocOp>(op))
    return "buffer";
  if (isa<tgpu::BarriersOp>(op))
    return "barriers";
  return op->getName().getStringRef().str();
}

void InsightReader::readShared(ModuleOp module) {
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!kernel->hasAttr("tile.kernel"))
      continue;
    Scratches scratches(kernel);
    const SharedMemory memory(kernel, scratches, KernelOrder(kernel));
    for (const tegula::SharedPiece &piece : memory.all())
      if (auto placed = piece.op->getAttrOfType<tile::ScratchAttr>("tile.scratch"))
        insight.shared.push_back({pieceName(piece.op), places.of(piece.op->getLoc()), placed.getOffset(),
                                  placed.getBytes(), piece.live.first, piece.live.last});
  }
  llvm::stable_sort(insight.shared, [](const auto &a, const auto &b) { return a.offset < b.offset; });
}

} // namespace tegula::insight
