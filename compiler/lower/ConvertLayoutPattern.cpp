// convert_layout: carries out what `planConversion` decides.
#include "compiler/lower/AccessCode.h"
#include "compiler/lower/ConversionPlan.h"
#include "compiler/lower/Patterns.h"
#include "compiler/lower/Symbols.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

using namespace mlir;

namespace tegula {
namespace {

using Registers = SmallVector<Value>;

Value constant(OpBuilder &builder, Location loc, uint32_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
}

/// One value of another lane. Shuffles move 32 bits: smaller values are widened, larger ones cut in two.
class Shuffler {
public:
  Shuffler(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {
    everyLane = constant(builder, loc, 0xffffffffu);
    clamp = constant(builder, loc, 31);
  }

  Value operator()(Value value, NVVM::ShflKind kind, Value lane) {
    Type type = value.getType(), i32 = builder.getI32Type();
    unsigned bits = elementBitsOf(type);
    Value word = bits >= 8 ? packWords(builder, loc, {value}, bits).front() : value;
    Registers parts;
    if (bits == 64) {
      Type pair = VectorType::get({2}, i32);
      Value halves = LLVM::BitcastOp::create(builder, loc, pair, word);
      Value joined = LLVM::UndefOp::create(builder, loc, pair);
      for (uint32_t half : {0u, 1u}) {
        Value index = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(half)));
        Value part = move(LLVM::ExtractElementOp::create(builder, loc, halves, index), kind, lane);
        joined = LLVM::InsertElementOp::create(builder, loc, joined, part, index);
      }
      word = LLVM::BitcastOp::create(builder, loc, builder.getI64Type(), joined);
    } else if (bits == 32) {
      word = move(word, kind, lane);
    } else {
      Value wide = LLVM::ZExtOp::create(builder, loc, i32, word);
      word = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(bits), move(wide, kind, lane));
    }
    return bits >= 8 ? unpackWords(builder, loc, {word}, type).front() : word;
  }

private:
  Value move(Value word, NVVM::ShflKind kind, Value lane) {
    return NVVM::ShflOp::create(builder, loc, builder.getI32Type(), everyLane, word, lane, clamp, kind,
                                UnitAttr());
  }

  OpBuilder &builder;
  Location loc;
  Value everyLane, clamp;
};

struct ConvertLayoutPattern : OpConversionPattern<tile::ConvertLayoutOp> {
  ConvertLayoutPattern(const TypeConverter &types, MLIRContext *context, LoweringState &state)
      : OpConversionPattern(types, context), state(state) {}

  LogicalResult matchAndRewrite(tile::ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = loweredElementType(op.getType());
    unsigned bytes = std::max(elementBitsOf(element), 8u) / 8;
    ConversionPlan plan =
        planConversion(tile::layoutOf(op.getSource().getType()).getLayout(),
                       tile::layoutOf(op.getType()).getLayout(), state.threads.bits(), bytes);
    Registers result;
    switch (plan.kind) {
    case ConversionPlan::Registers:
      for (uint32_t reg : plan.registers)
        result.push_back(adaptor.getSource()[reg]);
      break;
    case ConversionPlan::Shuffle:
      result = shuffle(rewriter, op.getLoc(), plan.shuffle, adaptor.getSource());
      break;
    case ConversionPlan::Shared:
      result = throughShared(rewriter, op, plan.shared, adaptor.getSource(), element);
      break;
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{result});
    return success();
  }

private:
  Registers shuffle(ConversionPatternRewriter &rewriter, Location loc, const ShufflePlan &plan,
                    ValueRange source) const {
    Shuffler shuffler(rewriter, loc);
    Value lanePart = plan.butterfly ? Value() : state.threads.linear(rewriter, plan.threadLanes);
    std::map<std::pair<uint32_t, uint32_t>, Value> fetched; // by register and step of the lane
    auto fetch = [&](uint32_t reg, uint32_t step) {
      Value &value = fetched[{reg, step}];
      if (value)
        return value;
      if (!plan.butterfly)
        value = shuffler(source[reg], NVVM::ShflKind::idx,
                         combine(rewriter, loc, lanePart, plan.threadLanes, step));
      else
        value =
            step ? shuffler(source[reg], NVVM::ShflKind::bfly, constant(rewriter, loc, step)) : source[reg];
      return value;
    };
    // Where the register depends on the thread, one comparison for each choice beside the first.
    SmallVector<Value> chosen(plan.choices.size());
    Value registerPart = state.threads.linear(rewriter, plan.threadRegisters);
    for (size_t i = 1; i < plan.choices.size(); ++i)
      chosen[i] = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, registerPart,
                                        constant(rewriter, loc, plan.choices[i]));
    Registers result;
    for (size_t reg = 0; reg < plan.registers.size(); ++reg) {
      Value value = fetch(plan.registers[reg] ^ plan.choices.front(), plan.lanes[reg]);
      for (size_t i = 1; i < plan.choices.size(); ++i)
        value = arith::SelectOp::create(rewriter, loc, chosen[i],
                                        fetch(plan.registers[reg] ^ plan.choices[i], plan.lanes[reg]), value);
      result.push_back(value);
    }
    return result;
  }

  /// The address of access `index` of one side.
  Value address(OpBuilder &builder, Location loc, Value buffer, const SharedAccess &access,
                size_t index) const {
    uint32_t threadBits = 0;
    for (uint32_t offset : access.threadOffsets)
      threadBits |= offset;
    Type byte = builder.getI8Type(), type = buffer.getType();
    Value thread = state.threads.linear(builder, access.threadOffsets);
    // What meets the thread's bits is xored with them; the rest becomes the immediate of the instruction.
    uint32_t crossing = access.offsets[index] & threadBits, apart = access.offsets[index] & ~threadBits;
    Value base = buffer;
    if (thread)
      base = LLVM::GEPOp::create(
          builder, loc, type, byte, buffer,
          ArrayRef<LLVM::GEPArg>{combine(builder, loc, thread, access.threadOffsets, crossing)});
    if (!apart)
      return base;
    return LLVM::GEPOp::create(builder, loc, type, byte, base, ArrayRef<LLVM::GEPArg>{int32_t(apart)});
  }

  AccessShape shapeOf(const SharedAccess &access, unsigned elementBits) const {
    AccessShape shape;
    unsigned bits = access.elements * elementBits;
    shape.wordBits = std::max(elementBits, std::min(bits, 32u));
    shape.words = bits / shape.wordBits;
    shape.addressSpace = SharedAddressSpace;
    return shape;
  }

  Registers throughShared(ConversionPatternRewriter &rewriter, tile::ConvertLayoutOp op,
                          const SharedPlan &plan, ValueRange source, Type element) const {
    Location loc = op.getLoc();
    bool isBool = element.isInteger(1);
    Type stored = isBool ? Type(rewriter.getI8Type()) : element;
    unsigned bits = elementBitsOf(stored);
    // The first use in the kernel follows no other; in a loop it follows itself.
    bool inLoop = op->getParentOfType<LoopLikeOpInterface>() != nullptr;
    if (state.shared.inUse() || inLoop)
      NVVM::Barrier0Op::create(rewriter, loc);
    Value buffer = state.shared.buffer(rewriter, loc, plan.bytes);

    AccessShape shape = shapeOf(plan.store, bits);
    Value owner = state.threads.noneOf(rewriter, plan.store.copyBits);
    for (auto [index, vector] : llvm::enumerate(plan.store.vectors)) {
      Registers values;
      for (uint32_t reg : vector)
        values.push_back(isBool ? Value(arith::ExtUIOp::create(rewriter, loc, stored, source[reg]))
                                : source[reg]);
      emitStore(rewriter, loc, address(rewriter, loc, buffer, plan.store, index), shape, owner,
                packWords(rewriter, loc, values, shape.wordBits));
    }
    if (plan.withinWarp)
      NVVM::SyncWarpOp::create(rewriter, loc, constant(rewriter, loc, 0xffffffffu));
    else
      NVVM::Barrier0Op::create(rewriter, loc);

    shape = shapeOf(plan.load, bits);
    Registers loaded(plan.original.size());
    for (auto [index, vector] : llvm::enumerate(plan.load.vectors)) {
      Registers words =
          emitLoad(rewriter, loc, address(rewriter, loc, buffer, plan.load, index), shape, Value(), {});
      for (auto [reg, value] : llvm::zip(vector, unpackWords(rewriter, loc, words, stored)))
        loaded[reg] = isBool ? Value(arith::TruncIOp::create(rewriter, loc, element, value)) : value;
    }
    Registers result;
    for (uint32_t original : plan.original)
      result.push_back(loaded[original]);
    return result;
  }

  LoweringState &state;
};

} // namespace

void populateConvertLayoutPatterns(const TypeConverter &types, RewritePatternSet &patterns,
                                   LoweringState &state) {
  patterns.add<ConvertLayoutPattern>(types, patterns.getContext(), state);
}

} // namespace tegula
