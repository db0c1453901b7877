// PTX by hand, functions of linked libraries, special registers, and the hand-over between launches.
#include "compiler/analysis/AuthorError.h"
#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/DeviceCalls.h"
#include "compiler/lower/code/InlinePtx.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tile/Tile.h"
#include "dialect/tile/ops/ExternCall.h"
#include "dialect/tile/ops/InlineAsm.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tegula {
namespace {

using tile::AsmPacking;
using tile::AsmRegister;

/// The constraint that tells LLVM that memory changes.
constexpr StringLiteral writesMemory = "~{memory}";

/// Elements as the registers that PTX by hand names, and back.
class AsmOperands {
public:
  AsmOperands(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Type typeOf(const AsmRegister &one) {
    if (one.letter == 'f')
      return builder.getF32Type();
    return one.letter == 'd' ? builder.getF64Type()
                             : Type(builder.getIntegerType(tile::bitsOfRegister(one.letter)));
  }

  /// `elements`, as many as a register holds.
  Value packed(ValueRange elements, const AsmRegister &into) {
    if (isa<LLVM::LLVMPointerType>(elements.front().getType()))
      return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), elements.front());
    Type element = integerLike(elements.front().getType());
    Value bits = LLVM::BitcastOp::create(builder, loc, element, elements.front());
    if (elements.size() > 1) {
      Value vector = LLVM::PoisonOp::create(builder, loc, VectorType::get(int64_t(elements.size()), element));
      for (auto [index, value] : llvm::enumerate(elements))
        vector = LLVM::InsertElementOp::create(builder, loc, vector,
                                               LLVM::BitcastOp::create(builder, loc, element, value),
                                               constant(unsigned(index)));
      bits = LLVM::BitcastOp::create(
          builder, loc, builder.getIntegerType(unsigned(elements.size()) * element.getIntOrFloatBitWidth()),
          vector);
    }
    Type whole = typeOf(into);
    if (bits.getType().getIntOrFloatBitWidth() < whole.getIntOrFloatBitWidth())
      return LLVM::ZExtOp::create(builder, loc, whole, bits);
    return LLVM::BitcastOp::create(builder, loc, whole, bits);
  }

  /// The `count` elements of type `element` in a register.
  SmallVector<Value> unpacked(Value whole, Type element, unsigned count) {
    if (isa<LLVM::LLVMPointerType>(element))
      return {LLVM::IntToPtrOp::create(builder, loc, element, whole)};
    Type integer = integerLike(element);
    const unsigned bits = count * integer.getIntOrFloatBitWidth();
    Value value = LLVM::BitcastOp::create(builder, loc, integerLike(whole.getType()), whole);
    const unsigned held = value.getType().getIntOrFloatBitWidth();
    if (held > bits)
      value = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(bits), value);
    else if (held < bits)
      value = LLVM::ZExtOp::create(builder, loc, builder.getIntegerType(bits), value);
    if (count == 1)
      return {LLVM::BitcastOp::create(builder, loc, element, value)};
    value = LLVM::BitcastOp::create(builder, loc, VectorType::get(count, integer), value);
    SmallVector<Value> elements;
    for (unsigned i = 0; i < count; ++i)
      elements.push_back(LLVM::BitcastOp::create(
          builder, loc, element, LLVM::ExtractElementOp::create(builder, loc, value, constant(i))));
    return elements;
  }

private:
  Type integerLike(Type type) { return builder.getIntegerType(type.getIntOrFloatBitWidth()); }
  Value constant(unsigned value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
  }

  OpBuilder &builder;
  Location loc;
};

/// The author's, without blanks, which LLVM does not skip.
std::string constraintsOf(tile::InlineAsmOp op) {
  SmallVector<StringRef> entries;
  for (StringRef entry : llvm::split(op.getConstraints(), ','))
    entries.push_back(entry.trim());
  if (!op.getIsPure())
    entries.push_back(writesMemory);
  return llvm::join(entries, ",");
}

void runPack(tile::InlineAsmOp op, Adaptor<tile::InlineAsmOp> adaptor, size_t first, size_t count,
             ArrayRef<AsmRegister> registers, MutableArrayRef<Registers> results, OpBuilder &builder) {
  Location loc = op.getLoc();
  AsmOperands operands(builder, loc);
  SmallVector<Type> types;
  for (const AsmRegister &one : registers.take_while([](const AsmRegister &one) { return one.isResult; }))
    types.push_back(operands.typeOf(one));
  SmallVector<Value> values;
  for (auto [operand, held] : llvm::zip_equal(op.getOperands(), adaptor.getOperands())) {
    const AsmPacking packing = tile::packingOf(operand.getType(), op.getPack());
    SmallVector<Value> elements;
    for (size_t at = first; at < first + op.getPack(); ++at)
      elements.push_back(held[std::min(at, held.size() - 1)]);
    for (size_t at = 0; at < elements.size(); at += packing.perRegister)
      values.push_back(operands.packed(ValueRange(elements).slice(at, packing.perRegister),
                                       registers[types.size() + values.size()]));
  }
  Type type =
      types.size() == 1 ? types.front() : LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  auto made = emitAssembly(builder, loc, type, values, op.getText(), constraintsOf(op), !op.getIsPure());
  unsigned number = 0;
  for (auto [result, list] : llvm::zip_equal(op.getResults(), results)) {
    const AsmPacking packing = tile::packingOf(result.getType(), op.getPack());
    for (unsigned i = 0; i < packing.registers; ++i, ++number) {
      Value whole = types.size() == 1 ? made.getResult(0)
                                      : LLVM::ExtractValueOp::create(builder, loc, made.getResult(0),
                                                                     ArrayRef<int64_t>{number});
      for (Value element :
           operands.unpacked(whole, loweredElementType(result.getType()), packing.perRegister))
        if (list.size() < count)
          list.push_back(element);
    }
  }
}

FailureOr<SmallVector<Registers>> lowerInlineAsm(tile::InlineAsmOp op, Adaptor<tile::InlineAsmOp> adaptor,
                                                 Rewriter &rewriter, LoweringState &state) {
  SmallVector<Type> lowered;
  for (Type type : op.getResultTypes())
    if (lowered.empty() && failed(state.types.convertType(type, lowered)))
      return rewriter.notifyMatchFailure(op, "a result has no layout");
  const size_t count = std::max<size_t>(lowered.size(), 1);
  const SmallVector<AsmRegister> registers = *tile::parseConstraints(op.getConstraints());
  SmallVector<Registers> results(op.getNumResults());
  for (size_t first = 0; first < count; first += op.getPack())
    runPack(op, adaptor, first, count, registers, results, rewriter);
  return results;
}

/// Returns what a call of a library's function looks like: libraries take generic addresses.
LLVM::LLVMFunctionType functionTypeOf(tile::ExternCallOp op) {
  const auto inLibrary = [](Type type) -> Type {
    type = loweredElementType(type);
    return isa<LLVM::LLVMPointerType>(type) ? LLVM::LLVMPointerType::get(type.getContext()) : type;
  };
  return LLVM::LLVMFunctionType::get(inLibrary(op.getType()),
                                     llvm::map_to_vector(op.getOperandTypes(), inLibrary));
}

/// "f32 (i32)".
std::string textOf(LLVM::LLVMFunctionType type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << type.getReturnType() << " (";
  llvm::interleaveComma(type.getParams(), stream);
  stream << ")";
  return text;
}

Value asType(Value value, Type type, OpBuilder &builder, Location loc) {
  return value.getType() == type ? value : LLVM::AddrSpaceCastOp::create(builder, loc, type, value);
}

FailureOr<Registers> lowerExternCall(tile::ExternCallOp op, Adaptor<tile::ExternCallOp> adaptor,
                                     Rewriter &rewriter, LoweringState &state) {
  SmallVector<Type> lowered;
  if (failed(state.types.convertType(op.getType(), lowered)))
    return rewriter.notifyMatchFailure(op, "the result has no layout");
  LLVM::LLVMFunctionType type = functionTypeOf(op);
  LLVM::LLVMFuncOp callee = externFunction(rewriter, op.getSymbol(), type);
  Registers results;
  for (size_t at = 0; at < lowered.size(); ++at) {
    SmallVector<Value> operands;
    for (auto [wanted, held] : llvm::zip_equal(type.getParams(), adaptor.getOperands()))
      operands.push_back(asType(held[std::min(at, held.size() - 1)], wanted, rewriter, op.getLoc()));
    Value made = LLVM::CallOp::create(rewriter, op.getLoc(), callee, operands).getResult();
    results.push_back(asType(made, lowered.front(), rewriter, op.getLoc()));
  }
  return results;
}

Registers lowerReadSpecial(tile::ReadSpecialOp op, Adaptor<tile::ReadSpecialOp>, Rewriter &rewriter,
                           LoweringState &) {
  InlinePtx ptx(rewriter, op.getLoc());
  const bool isTimer = op.getWhich() == tile::SpecialRegister::GlobalTimer;
  const std::string result = ptx.result(op.getType());
  return ptx.emit((isTimer ? "mov.u64 " : "mov.u32 ") + result + ", %" +
                      tile::stringifySpecialRegister(op.getWhich()).str() + ";",
                  /*hasSideEffects=*/isTimer);
}

void lowerGridDependency(tile::GridDependencyOp op, Adaptor<tile::GridDependencyOp>, Rewriter &rewriter,
                         LoweringState &) {
  emitAssembly(rewriter, op.getLoc(), TypeRange(), ValueRange(),
               "griddepcontrol." + tile::stringifyGridDependency(op.getStep()).str() + ";", writesMemory,
               /*hasSideEffects=*/true);
}

} // namespace

LogicalResult verifyExternCalls(func::FuncOp kernel) {
  llvm::StringMap<LLVM::LLVMFunctionType> types;
  const WalkResult walked = kernel.walk([&](tile::ExternCallOp op) {
    const StringRef name = op.getSymbol();
    const bool isOwn = name == entryName(kernel.getName()) || name == PrintFunction ||
                       name == AssertFunction || name.starts_with("tegula_");
    if (isOwn) {
      emitAuthorError(op.getLoc(), "give the library's function another name")
          << "`" << name << "` is a name of the kernel's own, and of no library";
      return WalkResult::interrupt();
    }
    LLVM::LLVMFunctionType type = functionTypeOf(op);
    const auto [known, isNew] = types.try_emplace(name, type);
    if (!isNew && known->second != type) {
      emitAuthorError(op.getLoc(), "mend the types in `extern_elementwise`")
          << "`" << name << "` is called as `" << textOf(type) << "`, and elsewhere as `"
          << textOf(known->second) << "`";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

void populateDevicePatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerInlineAsm, lowerExternCall, lowerReadSpecial, lowerGridDependency>(patterns, state);
}

} // namespace tegula
