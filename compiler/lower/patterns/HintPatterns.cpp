// assume, print and assert: what the author knows, and what the program says; debug_value: what a debugger
// asks.
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/DeviceCalls.h"
#include "compiler/lower/code/Expectations.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/lower/patterns/ProgramIndex.h"
#include "compiler/plan/AccessPlan.h"
#include "dialect/tile/NameOps.h"
#include "dialect/tile/Tile.h"
#include "dialect/tile/ops/PrintFormat.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

/// Returns PTX's name of a comparison of numbers of so many bits: `lt.s32`.
std::string nameOf(arith::CmpIPredicate predicate, unsigned bits) {
  StringRef name = arith::stringifyCmpIPredicate(predicate); // with a sign in front where there is an order
  const bool isUnsigned = name.consume_front("u");
  if (!isUnsigned && name.size() > 2)
    name = name.drop_front();
  return llvm::formatv("{0}.{1}{2}", name, isUnsigned ? "u" : "s", bits);
}

/// Tells LLVM what the author assumes; and the emulator, which checks it before LLVM believes it.
void lowerAssume(tile::AssumeOp op, Adaptor<tile::AssumeOp> adaptor, Rewriter &rewriter, LoweringState &) {
  Value condition = adaptor.getCondition().front();
  auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
  const unsigned bits = compare ? Type(compare.getLhs().getType()).getIntOrFloatBitWidth() : 0;
  if (bits == 32 || bits == 64)
    emitExpectation(rewriter, op.getLoc(), "assume." + nameOf(compare.getPredicate(), bits),
                    {compare.getLhs(), compare.getRhs()}, {});
  else
    emitExpectation(rewriter, op.getLoc(), "assume.pred", {condition}, {});
  LLVM::AssumeOp::create(rewriter, op.getLoc(), condition);
}

/// assert: one test of all that the thread holds, and a call where it fails.
void lowerAssert(tile::AssertOp op, Adaptor<tile::AssertOp> adaptor, Rewriter &rewriter,
                 LoweringState &state) {
  Location loc = op.getLoc();
  Value holds;
  for (Value condition : adaptor.getCondition())
    holds = bothHold(rewriter, loc, holds, condition);
  Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
  Value fails = arith::XOrIOp::create(rewriter, loc, holds, one);
  auto test = scf::IfOp::create(rewriter, loc, fails, /*withElseRegion=*/false);
  rewriter.setInsertionPointToStart(test.thenBlock());
  callAssertFail(rewriter, loc, op.getMessage(), state.texts);
}

/// Promotes a value on its way to printf as the C calling convention does.
Value promoted(OpBuilder &builder, Location loc, Value value, const tile::PrintedElement &how) {
  Type type = value.getType(), i32 = builder.getI32Type(), f64 = builder.getF64Type();
  switch (how.as) {
  case tile::PrintedElement::As::Address:
    return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), value);
  case tile::PrintedElement::As::Double:
    return type == f64 ? value : Value(arith::ExtFOp::create(builder, loc, f64, value));
  case tile::PrintedElement::As::Bits:
    break;
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(builder, loc, builder.getIntegerType(bits), value);
  if (bits >= 32)
    return value;
  return how.isSigned ? Value(arith::ExtSIOp::create(builder, loc, i32, value))
                      : Value(arith::ExtUIOp::create(builder, loc, i32, value));
}

void printOperand(Rewriter &rewriter, LoweringState &state, tile::PrintOp op, unsigned index,
                  ValueRange registers, ArrayRef<Value> program) {
  Location loc = op.getLoc();
  Type type = op.getOperands()[index].getType();
  const tile::PrintedElement how =
      tile::printedElement(getElementTypeOrSelf(type), op.getIsSigned()[index], op.getHex());
  const std::string format = tile::printFormat(op, index);
  tile::LayoutAttr layout = tile::layoutOf(type);
  if (!layout) {
    SmallVector<Value> values(program);
    values.push_back(promoted(rewriter, loc, registers.front(), how));
    callPrintf(rewriter, loc, format, values, state.texts);
    return;
  }
  const LinearLayout &map = layout.getLayout();
  AccessPlan plan = planAccess(map, state.executorOf(op).threadBits(), {}, 8);
  if (Value owner = state.threadsOf(op).noneOf(rewriter, plan.copyBits)) {
    auto test = scf::IfOp::create(rewriter, loc, owner, /*withElseRegion=*/false);
    rewriter.setInsertionPointToStart(test.thenBlock());
  }
  std::vector<uint64_t> positions = registerPositions(map);
  std::vector<uint64_t> columns = threadColumns(map, state.executorOf(op).threadBits());
  for (const std::vector<uint32_t> &vector : plan.vectors) {
    uint32_t reg = vector.front();
    SmallVector<Value> values(program);
    for (DimBits out : llvm::ArrayRef(map.outs()).take_front(tile::printedIndices(map.outs().size()))) {
      SmallVector<uint32_t> part;
      for (uint64_t column : columns)
        part.push_back(uint32_t(map.unpackOut(column, out.dim)));
      values.push_back(combine(rewriter, loc, state.threadsOf(op).linear(rewriter, part), part,
                               uint32_t(map.unpackOut(positions[reg], out.dim))));
    }
    values.push_back(promoted(rewriter, loc, registers[reg], how));
    callPrintf(rewriter, loc, format, values, state.texts);
  }
}

/// Each thread prints what it is asked for, but an element of a tensor is printed by one that holds it.
void lowerPrint(tile::PrintOp op, Adaptor<tile::PrintOp> adaptor, Rewriter &rewriter, LoweringState &state) {
  Location loc = op.getLoc();
  SmallVector<Value> program;
  for (tile::Axis axis : {tile::Axis::X, tile::Axis::Y, tile::Axis::Z})
    program.push_back(programId(rewriter, loc, axis, state));
  if (op.getOperands().empty())
    callPrintf(rewriter, loc, tile::printFormat(op), program, state.texts);
  for (unsigned i = 0; i < op.getOperands().size(); ++i) {
    OpBuilder::InsertionGuard guard(rewriter);
    printOperand(rewriter, state, op, i, adaptor.getOperands()[i], program);
  }
}

/// debug_value: the same of the registers.
void lowerDebugValue(tile::DebugValueOp op, Adaptor<tile::DebugValueOp> adaptor, Rewriter &rewriter,
                     LoweringState &) {
  SmallVector<Value> registers;
  for (ValueRange values : adaptor.getValues())
    llvm::append_range(registers, values);
  tile::DebugValueOp::create(rewriter, op.getLoc(), op.getNumberAttr(), registers);
}

} // namespace

void populateHintPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerAssume, lowerDebugValue, lowerAssert, lowerPrint>(patterns, state);
}

} // namespace tegula
