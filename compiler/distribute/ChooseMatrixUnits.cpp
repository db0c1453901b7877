// The pass `choose-matrix-units`: Passes.td says what it is for.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/plans/DotUnit.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/resources/RegisterLimit.h"
#include "compiler/distribute/BlockedChoice.h"
#include "compiler/distribute/DotLayoutChoice.h"
#include "compiler/distribute/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_CHOOSEMATRIXUNITSPASS
#include "compiler/distribute/Passes.h.inc"

namespace {

/// Operands of eight bits become f16, which holds every value of theirs.
void widenOperands(tile::DotOp dot) {
  OpBuilder builder(dot);
  for (unsigned index : {0u, 1u}) {
    Value operand = dot->getOperand(index);
    Type wide = tile::withElementType(operand.getType(), builder.getF16Type());
    dot->setOperand(index, arith::ExtFOp::create(builder, dot.getLoc(), wide, operand));
  }
}

tile::MatrixUnitAttr unitOf(MLIRContext *context, const std::optional<MatrixInstruction> &instruction) {
  if (!instruction)
    return tile::MatrixUnitAttr::get(context, tile::MatrixUnitKind::FMA, 1, 1, 1);
  const auto &[m, n, k] = instruction->shape;
  auto kind = instruction->unit == MatrixUnit::WarpGroup ? tile::MatrixUnitKind::Wgmma
                                                         : tile::MatrixUnitKind::MmaSync;
  return tile::MatrixUnitAttr::get(context, kind, uint32_t(m), uint32_t(n), uint32_t(k));
}

void layOut(tile::DotOp dot, const DotLayoutChoice &choice) {
  const tile::LayoutAttr layouts[] = {choice.a, choice.b, choice.result};
  for (auto [operand, layout] : llvm::zip_equal(dot->getOpOperands(), layouts))
    convertOperand(operand, layout);
  convertResults(dot, choice.result);
}

/// Returns the value that `operand` has the elements of, in another order or place.
Value elementsOf(Value operand) {
  while (Operation *op = operand.getDefiningOp()) {
    if (!isa<tile::ConvertLayoutOp, tile::TransOp, tile::ReshapeOp>(op))
      break;
    operand = op->getOperand(0);
  }
  return operand;
}

/// Returns the element type of 16 bits that all elements of an operand were converted to f32 from; null where
/// they were not.
Type widenedFrom(Value operand) {
  auto widen = elementsOf(operand).getDefiningOp<arith::ExtFOp>();
  Type from = widen ? getElementTypeOrSelf(widen.getIn().getType()) : Type();
  return from && from.getIntOrFloatBitWidth() == 16 ? from : Type();
}

/// Returns why a dot of f32, which a unit computes, might be one of 16 bits, at twice the rate: one operand
/// was converted from such, and the other is computed, so that its author may convert it. Nothing for other
/// dots.
std::optional<Reason> whyWidened(tile::DotOp dot) {
  if (!dot.getAType().getElementType().isF32())
    return std::nullopt;
  for (auto [widened, other, name] :
       {std::tuple(dot.getA(), dot.getB(), "b"), std::tuple(dot.getB(), dot.getA(), "a")}) {
    Type from = widenedFrom(widened);
    Operation *computed = elementsOf(other).getDefiningOp();
    if (!from || !computed || isa<tile::LoadOp>(computed))
      continue;
    const std::string type = from.isF16() ? "fp16" : "bf16";
    Reason why = because("units multiply {0} twice as fast as f32", type);
    why.causes = {{"it is converted from " + type, elementsOf(widened).getLoc()}};
    why.advice.change =
        llvm::formatv("convert operand `{0}` to {1} instead, where its digits do: `.to(tl.{2})`", name, type,
                      from.isF16() ? "float16" : "bfloat16")
            .str();
    return why;
  }
  return std::nullopt;
}

/// Returns why no unit computes `dot`.
Reason whyNoUnit(tile::DotOp dot, const Target &target) {
  Type element = dot.getAType().getElementType();
  if (element.isF32() && widenedFrom(dot.getA()) && widenedFrom(dot.getA()) == widenedFrom(dot.getB()))
    return because("operands of 16 bits are converted to f32, though their products are exact without")
        .fixedBy("leave the operands as they are loaded, without `.to(tl.float32)`");
  if (element.isF32() && dot.getPrecision() == tile::InputPrecision::IEEE)
    return because("`ieee` asks for products of f32 that no unit rounds")
        .fixedBy("drop `input_precision=\"ieee\"`, or use `tf32x3`; write a sum of products as `tl.dot`");
  return because("{0} has no unit for products of {1} summed up in {2} with a K of {3}",
                 StringRef(target.name), element, dot.getResultType().getElementType(), dot.getK())
      .fixedBy("pad K to 16 elements (32 of one byte), or use a type that the unit takes");
}

std::string textOf(const WarpGrid &grid, unsigned batchAxes) {
  std::string matrix = llvm::formatv("{0}x{1}", grid.m, grid.n);
  return batchAxes == 0 ? matrix : llvm::formatv("{0}x{1}", grid.batch, matrix).str();
}

/// Returns whether an instruction of groups adds up in fewer bits than its sums have: 14 or so, for products
/// of f8.
bool isImprecise(const MatrixInstruction &instruction) {
  return instruction.sum == MatrixElement::F32 && bytesOf(instruction.a) == 1;
}

/// Registers of a thread besides sums: descriptors, addresses and what the assembler needs.
constexpr uint32_t OtherRegisters = 32;

/// The fewest columns of a part of a product. Each instruction reads 64 rows of `a` from shared memory: with
/// fewer columns than rows, shared memory is slower than the unit.
constexpr uint32_t LeastColumnsOfPart = 64;

/// Columns of 64 rows that 128 threads hold in a register each.
constexpr uint32_t ColumnsOfRegister = 2;

/// The dots of one kernel.
class UnitChooser {
public:
  /// `facts` gives the facts of the module, which only few dots need.
  UnitChooser(func::FuncOp function, const Target &target,
              llvm::function_ref<const AxisInfoAnalysis &()> facts)
      : function(function), target(target), facts(facts), executors(function) {}

  void run(ArrayRef<tile::DotOp> dots) {
    for (tile::DotOp dot : dots)
      if (needsWiderOperands(dot, target))
        widenOperands(dot);
    DotChains chains(dots);
    for (tile::DotOp dot : dots) {
      bool chained = chains.contains(dot);
      unsigned warps = executors.of(dot).warps;
      std::optional<GroupGrid> groups = chooseGroupGrid(dot.getM(), dot.getN(), warps);
      std::optional<MatrixInstruction> instruction = findForGroups(dot, groups);
      bool forGroups = instruction.has_value();
      if (!forGroups)
        instruction = findInstruction(dot, target);
      DotLayoutChoice choice = forGroups     ? layoutsForGroups(dot, *instruction, *groups)
                               : instruction ? layoutsForUnit(dot, *instruction, warps, chained)
                                             : layoutsForThreads(dot, warps, chained);
      dot.setUnitAttr(unitOf(dot.getContext(), instruction));
      layOut(dot, choice);
      report(dot, instruction, choice, chained);
    }
  }

private:
  /// The instruction of warp groups for `dot`, if there is one that can have its operands. Where the target
  /// has one and it cannot, a remark says why.
  std::optional<MatrixInstruction> findForGroups(tile::DotOp dot, const std::optional<GroupGrid> &groups) {
    int64_t columns = groups ? std::min<int64_t>(dot.getN() / groups->n, MaxGroupColumns) : MaxGroupColumns;
    columns = std::min(columns, columnsWithin(registerLimit(dot, target)));
    std::optional<MatrixInstruction> found = findGroupInstruction(dot, target, int32_t(columns));
    if (!found || !mayUse(function, Feature::Wgmma))
      return std::nullopt;
    Decision<> can = canMultiplyInGroups(dot, *found, groups);
    if (can) {
      if (isImprecise(*found))
        boundImprecision(dot, *groups, *found);
      return found;
    }
    remark::missed(dot.getLoc(), options("wgmma"))
        << remark::add("warps do not multiply in groups") << can.error();
    return std::nullopt;
  }

  /// Decides whether `instruction` suits the sides of `dot`, its precision and its operands.
  Decision<> canMultiplyInGroups(tile::DotOp dot, const MatrixInstruction &instruction,
                                 const std::optional<GroupGrid> &groups) {
    if (isImprecise(instruction) && dot.getMaxImprecise() &&
        int32_t(dot.getMaxImprecise()) < instruction.shape.k)
      return because("the author wants at most {0} additions with less precision than f32 has, and one "
                     "instruction makes {1}",
                     dot.getMaxImprecise(), instruction.shape.k)
          .fixedBy("raise `max_num_imprecise_acc`, or leave it out");
    if (!groups)
      return because("expected 64 rows and 16 columns for each four of its warps, found {0} by {1} for {2}",
                     dot.getM(), dot.getN(), executors.of(dot).warps)
          .fixedBy("make `BLOCK_M` at least 64 for each four warps, or use fewer warps");
    for (unsigned index : {0u, 1u})
      if (bytesOf(instruction.a) != 2 && isContiguousAcrossK(dot, index))
        return because(
                   "operand `{0}` has no neighbours along K in memory, and only elements of two bytes may "
                   "be the other way round",
                   index == 0 ? "a" : "b")
            .fixedBy("store the operand with K as its contiguous axis");
    return {};
  }

  /// The most columns whose sums an instruction can have where a thread has `limit` registers.
  static int64_t columnsWithin(uint32_t limit) {
    const uint32_t columns = ColumnsOfRegister * (limit - std::min(limit, OtherRegisters));
    return std::max<int64_t>(MinGroupColumns, llvm::bit_floor(columns));
  }

  /// Says on a dot for groups how many of its products the unit may add up by itself, and of how many columns
  /// at a time, which are then the most that `instruction` has.
  void boundImprecision(tile::DotOp dot, const GroupGrid &groups, MatrixInstruction &instruction) {
    const uint32_t bound = dot.getMaxImprecise() ? dot.getMaxImprecise() : MaxImpreciseProducts;
    dot.setMaxImprecise(std::min(llvm::bit_floor(bound), uint32_t(dot.getK())));
    const uint32_t columns = columnsOfPart(dot, groups);
    if (columns == dot.getN())
      return;
    dot.setPartsAttr(tile::DotPartsAttr::get(dot.getContext(), columns, /*inFlight=*/1));
    instruction.shape.n = std::min(instruction.shape.n, int32_t(columns));
  }

  /// Returns how many columns of `dot`, whose unit adds up in few bits, are computed at a time. Sums of a
  /// part need registers besides those that they are added to. All columns, where there are enough, and
  /// enough for two parts where K has several; else as many as one part has registers for, since other groups
  /// keep the unit busy while its sums are added up.
  uint32_t columnsOfPart(tile::DotOp dot, const GroupGrid &groups) {
    // Where groups lie side by side, neighbouring columns are of one alone. With 128 rows each, ptxas spilled
    // 74 registers of a tile of 256x128 in parts, and 25 of a whole one.
    const uint32_t n = uint32_t(dot.getN());
    if (groups.n != 1 || dot.getM() / groups.m != RowsOfGroup)
      return n;
    const uint32_t sums = n / ColumnsOfRegister, limit = registerLimit(dot, target),
                   room = limit - std::min(limit, OtherRegisters + sums),
                   parts = int64_t(dot.getMaxImprecise()) < dot.getK() ? 2 : 1;
    if (parts * sums <= room)
      return n;
    const uint32_t columns = llvm::bit_floor(room * ColumnsOfRegister);
    return columns < LeastColumnsOfPart ? n : std::min(columns, n);
  }

  /// Returns whether operand `index` is loaded as it is, with neighbours in memory along its other axis than
  /// K.
  bool isContiguousAcrossK(tile::DotOp dot, unsigned index) {
    Value value = dot->getOperand(index);
    unsigned kAxis = index == 0 ? 1 : 0;
    while (true) {
      if (auto conversion = value.getDefiningOp<tile::ConvertLayoutOp>())
        value = conversion.getSource();
      else if (auto trans = value.getDefiningOp<tile::TransOp>())
        value = trans.getSource(), kAxis = unsigned(trans.getOrder()[kAxis]);
      else
        break;
    }
    auto load = value.getDefiningOp<tile::LoadOp>();
    std::optional<MemoryAccess> access = load ? analyzeAccess(load, facts()) : std::nullopt;
    return access && access->hasOrder && access->order.front() != kAxis;
  }

  void report(tile::DotOp dot, const std::optional<MatrixInstruction> &instruction,
              const DotLayoutChoice &choice, bool chained) {
    std::string boxes = llvm::formatv("{0}{1} warps with {2}x{3} each", chained ? "chained, " : "",
                                      textOf(choice.grid, dot.getBatchAxes()), choice.rows, choice.columns);
    // Each element of a fragment of `a` meets all columns of the box, each of `b` all rows.
    double bytes = dot.getAType().getElementTypeBitWidth() / 8.0 *
                   (1.0 / double(choice.rows) + 1.0 / double(choice.columns));
    auto reads = remark::metric("SharedBytesPerMultiply", llvm::formatv("{0:f4}", bytes).str());
    if (!instruction) {
      remark::missed(dot.getLoc(), options("dot"))
          << remark::add("threads multiply by themselves, {0}", boxes) << whyNoUnit(dot, target) << reads;
      return;
    }
    auto name = [](MatrixElement element) { return StringRef(nameOf(element)); };
    const MatrixShape &shape = instruction->shape;
    remark::passed(dot.getLoc(), options("dot"))
        << remark::add("{0}.m{1}n{2}k{3} {4} * {5} + {6}, {7}",
                       instruction->unit == MatrixUnit::WarpGroup ? "wgmma" : "mma", shape.m, shape.n,
                       shape.k, name(instruction->a), name(instruction->b), name(instruction->sum), boxes)
        << reads;
    if (tile::DotPartsAttr parts = dot.getPartsAttr())
      remark::passed(dot.getLoc(), options("parts"))
          << remark::add("a product in parts of {0} columns, each added up in f32 after {1} of K",
                         parts.getColumns(), dot.getMaxImprecise())
          << remark::metric("Columns", parts.getColumns());
    if (std::optional<Reason> why = whyWidened(dot))
      remark::missed(dot.getLoc(), options("widened"))
          << remark::add("an operand is converted to f32 for the product") << *why;
  }

  remark::RemarkOpts options(StringRef name) { return remarkOptions("choose-matrix-units", name, function); }

  func::FuncOp function;
  const Target &target;
  llvm::function_ref<const AxisInfoAnalysis &()> facts;
  Executors executors;
};

class ChooseMatrixUnits : public impl::ChooseMatrixUnitsPassBase<ChooseMatrixUnits> {
  void runOnOperation() override {
    for (func::FuncOp function : kernelsOf(getOperation())) {
      if (failed(requireLayouts(function)))
        return signalPassFailure();
      const SmallVector<tile::DotOp> dots = opsOf<tile::DotOp>(function);
      if (dots.empty())
        continue;
      const Target *target = requireTarget(getOperation());
      if (!target)
        return signalPassFailure();
      auto facts = [&]() -> const AxisInfoAnalysis & { return getAnalysis<AxisInfoAnalysis>(); };
      UnitChooser(function, *target, facts).run(dots);
    }
  }
};

} // namespace

} // namespace tegula
