#include "compiler/lower/code/GroupProductCode.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/InlinePtx.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

/// Addresses in descriptors count in these.
constexpr unsigned DescriptorUnitBits = 4;
/// So many bits of a descriptor are for an address, which is one in the block's own shared memory.
constexpr unsigned DescriptorAddressBits = 14;

std::string listOf(ArrayRef<std::string> names) { return "{" + llvm::join(names, ", ") + "}"; }

/// One product as one piece of inline PTX: a piece for each instruction would hand each register of the sums
/// on from one to the next.
class ProductText {
public:
  ProductText(OpBuilder &builder, Location loc, const GroupPlan &plan, const MatrixInstruction &instruction)
      : builder(builder), loc(loc), plan(plan), instruction(instruction), ptx(builder, loc) {}

  SmallVector<Value> emit(const GroupOperands &operands, ValueRange before, Type sumType,
                          ThreadIndex &threads) {
    inCluster = operands.inCluster;
    sumsOfTile = plan.registersOfTile / (instruction.sum == MatrixElement::F16 ? 2 : 1);
    startsFromZero = before.empty();
    if (startsFromZero)
      for (unsigned i = 0; i < plan.tiles * sumsOfTile; ++i)
        sums.push_back(ptx.result(sumType));
    else
      sums = ptx.updated(before);
    if (plan.a.inMemory)
      baseA = ptx.operand(descriptor(operands.slotA, plan.a, threads));
    else
      for (Value word : packWords(builder, loc, SmallVector<Value>(operands.registersA), 32))
        wordsA.push_back(ptx.operand(word));
    baseB = ptx.operand(descriptor(operands.slotB, plan.b, threads));
    std::string text = "{\n.reg .b64 da, db;\nwgmma.fence.sync.aligned;\n";
    for (const auto &[index, step] : llvm::enumerate(plan.steps))
      addStep(text, step, index < plan.tiles);
    text += "wgmma.commit_group.sync.aligned;\n}";
    return ptx.emit(text);
  }

private:
  /// The descriptor of the operand in the slot at `slot`, of the group that this thread belongs to.
  Value descriptor(Value slot, const GroupOperand &operand, ThreadIndex &threads) {
    auto constant = [&](IntegerAttr value) { return arith::ConstantOp::create(builder, loc, value); };
    Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), slot);
    SmallVector<uint32_t> columns(llvm::Log2_32(unsigned(WarpsOfGroup)), 0);
    columns.append(operand.groupOffsets.begin(), operand.groupOffsets.end());
    if (Value offset = threads.linearOfWarps(builder, columns))
      address = arith::AddIOp::create(builder, loc, address, offset);
    Value units = arith::ShRUIOp::create(builder, loc, address,
                                         constant(builder.getI32IntegerAttr(int32_t(DescriptorUnitBits))));
    if (inCluster)
      units = arith::AndIOp::create(builder, loc, units,
                                    constant(builder.getI32IntegerAttr((1 << DescriptorAddressBits) - 1)));
    Value wide = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), units);
    return arith::OrIOp::create(builder, loc, wide,
                                constant(builder.getI64IntegerAttr(int64_t(operand.unit.descriptor()))));
  }

  /// Adds `name = base + bytes` to the text, if it is not that base, and gives the name.
  static std::string moved(std::string &text, StringRef name, const std::string &base, uint32_t bytes) {
    if (bytes == 0)
      return base;
    text += llvm::formatv("add.s64 {0}, {1}, {2};\n", name, base, bytes >> DescriptorUnitBits);
    return name.str();
  }

  void addStep(std::string &text, const GroupStep &step, bool isFirst) {
    std::string a;
    if (plan.a.inMemory) {
      a = moved(text, "da", baseA, step.a);
    } else {
      constexpr unsigned WordBytes = 4;
      unsigned perWord = WordBytes / bytesOf(instruction.a);
      a = listOf(ArrayRef(wordsA).slice(step.a / perWord, plan.registersOfA / perWord));
    }
    std::string b = moved(text, "db", baseB, step.b);
    const MatrixShape &shape = instruction.shape;
    const MatrixElement typeA = instruction.a, typeB = instruction.b, typeOfSum = instruction.sum;
    text += llvm::formatv("wgmma.mma_async.sync.aligned.m{0}n{1}k{2}.{3}.{4}.{5} {6}, {7}, {8}, {9}", shape.m,
                          shape.n, shape.k, StringRef(nameOf(typeOfSum)), StringRef(nameOf(typeA)),
                          StringRef(nameOf(typeB)),
                          listOf(ArrayRef(sums).slice(step.tile * sumsOfTile, sumsOfTile)), a, b,
                          isFirst && startsFromZero ? 0 : 1);
    // Neither operand negated, except integers; where both ways exist, whether rows are contiguous.
    if (typeA != MatrixElement::S8)
      text += ", 1, 1";
    if (bytesOf(typeA) == 2) {
      if (plan.a.inMemory)
        text += plan.a.unit.form.kContiguous ? ", 0" : ", 1";
      text += plan.b.unit.form.kContiguous ? ", 0" : ", 1";
    }
    text += ";\n";
  }

  OpBuilder &builder;
  Location loc;
  const GroupPlan &plan;
  const MatrixInstruction &instruction;
  InlinePtx ptx;
  SmallVector<std::string> sums, wordsA;
  std::string baseA, baseB;
  unsigned sumsOfTile = 0;
  bool startsFromZero = false, inCluster = false;
};

} // namespace

Type inFlightRegister(OpBuilder &builder, Type sum) { return sum.isF16() ? builder.getI32Type() : sum; }

SmallVector<Value> emitGroupProduct(OpBuilder &builder, Location loc, const GroupPlan &plan,
                                    const MatrixInstruction &instruction, const GroupOperands &operands,
                                    ValueRange sums, ThreadIndex &threads) {
  Type type = instruction.sum == MatrixElement::F32 ? Type(builder.getF32Type()) : builder.getI32Type();
  return ProductText(builder, loc, plan, instruction).emit(operands, sums, type, threads);
}

SmallVector<Value> emitGroupWait(OpBuilder &builder, Location loc, unsigned pending, ValueRange sums,
                                 ValueRange held) {
  InlinePtx ptx(builder, loc);
  ptx.updated(sums);
  for (Value value : held)
    ptx.operand(value);
  return ptx.emit(llvm::formatv("wgmma.wait_group.sync.aligned {0};", pending).str());
}

} // namespace tegula
