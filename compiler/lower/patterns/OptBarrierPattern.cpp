// opt_barrier: a value that neither LLVM nor ptxas knows to be an older one.
//
// A byte permutation `prmt` whose selector is known at run time only stops both. The selector must depend on
// the value waited for, or the permutation could move before it, and must name the bytes in their order
// whatever that value is: no word has more than 32 one bits, so its count shifted by 6 is 0, which ptxas does
// not work out.
#include "compiler/lower/code/InlinePtx.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tile/Tile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

/// Some 32 bits of an integer or float.
Value someWord(OpBuilder &builder, Location loc, Value value) {
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits), word = builder.getI32Type();
  value = LLVM::BitcastOp::create(builder, loc, integer, value);
  if (bits > 32)
    return LLVM::TruncOp::create(builder, loc, word, value);
  return bits < 32 ? Value(LLVM::ZExtOp::create(builder, loc, word, value)) : value;
}

/// Vectors of registers that fill words: pairs of halves, four bytes, one word, the two words of 64 bits.
class Words {
public:
  Words(OpBuilder &builder, Location loc, Value selector) : builder(builder), loc(loc), selector(selector) {}

  /// Returns the same registers after the barrier.
  SmallVector<Value> pass(ValueRange registers) {
    SmallVector<Value> result;
    Type type = registers.front().getType();
    bool isPointer = isa<LLVM::LLVMPointerType>(type);
    unsigned bits = isPointer ? 64 : type.getIntOrFloatBitWidth();
    if (bits < 8) // truths live in predicates, which no permutation reaches
      return llvm::to_vector(registers);
    size_t group = std::min<size_t>(std::max(1u, 32 / bits), registers.size());
    for (size_t first = 0; first < registers.size(); first += group)
      passGroup(registers.slice(first, group), isPointer, bits, result);
    return result;
  }

private:
  void passGroup(ValueRange registers, bool isPointer, unsigned bits, SmallVector<Value> &result) {
    Type element = registers.front().getType();
    auto count = unsigned(registers.size());
    Type whole = builder.getIntegerType(count * bits);
    Value packed;
    if (isPointer) {
      packed = LLVM::PtrToIntOp::create(builder, loc, whole, registers.front());
    } else if (count == 1) {
      packed = LLVM::BitcastOp::create(builder, loc, whole, registers.front());
    } else {
      Value vector = LLVM::PoisonOp::create(builder, loc, VectorType::get(count, element));
      for (unsigned i = 0; i < count; ++i)
        vector = LLVM::InsertElementOp::create(builder, loc, vector, registers[i], constant(i));
      packed = LLVM::BitcastOp::create(builder, loc, whole, vector);
    }
    packed = passBits(packed, count * bits);
    if (isPointer) {
      result.push_back(LLVM::IntToPtrOp::create(builder, loc, element, packed));
    } else if (count == 1) {
      result.push_back(LLVM::BitcastOp::create(builder, loc, element, packed));
    } else {
      Value vector = LLVM::BitcastOp::create(builder, loc, VectorType::get(count, element), packed);
      for (unsigned i = 0; i < count; ++i)
        result.push_back(LLVM::ExtractElementOp::create(builder, loc, vector, constant(i)));
    }
  }

  Value passBits(Value value, unsigned bits) {
    Type word = builder.getI32Type();
    if (bits == 32)
      return passWord(value);
    if (bits < 32)
      return LLVM::TruncOp::create(builder, loc, value.getType(),
                                   passWord(LLVM::ZExtOp::create(builder, loc, word, value)));
    Value two = LLVM::BitcastOp::create(builder, loc, VectorType::get(2, word), value);
    for (unsigned i = 0; i < 2; ++i) {
      Value half = passWord(LLVM::ExtractElementOp::create(builder, loc, two, constant(i)));
      two = LLVM::InsertElementOp::create(builder, loc, two, half, constant(i));
    }
    return LLVM::BitcastOp::create(builder, loc, value.getType(), two);
  }

  Value passWord(Value word) {
    InlinePtx ptx(builder, loc);
    std::string result = ptx.result(word.getType()), bytes = ptx.operand(word), order = ptx.operand(selector);
    return ptx
        .emit(llvm::formatv("prmt.b32 {0}, {1}, 0, {2};", result, bytes, order).str(),
              /*hasSideEffects=*/false)
        .front();
  }

  Value constant(unsigned value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
  }

  OpBuilder &builder;
  Location loc;
  Value selector;
};

Registers lowerOptBarrier(tile::OptBarrierOp op, Adaptor<tile::OptBarrierOp> adaptor, Rewriter &rewriter,
                          LoweringState &) {
  Location loc = op.getLoc();
  Value word = someWord(rewriter, loc, adaptor.getAfter().front());
  InlinePtx ptx(rewriter, loc);
  std::string result = ptx.result(rewriter.getI32Type()), count = ptx.operand(word);
  std::string text =
      "{ .reg .b32 t; popc.b32 t, " + count + "; shr.u32 t, t, 6; or.b32 " + result + ", t, 0x3210; }";
  Value selector = ptx.emit(text, /*hasSideEffects=*/false).front();
  return Words(rewriter, loc, selector).pass(adaptor.getSource());
}

} // namespace

void populateOptBarrierPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerOptBarrier>(patterns, state);
}

} // namespace tegula
