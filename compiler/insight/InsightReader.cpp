#include "compiler/insight/InsightReader.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/access/FactCauses.h"
#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/analysis/resources/RegisterLimit.h"
#include "compiler/analysis/resources/SharedMemory.h"
#include "compiler/insight/Tensors.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/AsmState.h"

#include <optional>

using namespace mlir;

namespace tegula::insight {

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
    if (const std::optional<Reason> limit = reasonOfFacts(value, *facts)) {
      known.because = limit->causes.front().text;
      known.change = limit->advice.change;
      known.cause = places.of(limit->causes.front().place);
    }
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
  for (func::FuncOp kernel : kernelsOf(module)) {
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
