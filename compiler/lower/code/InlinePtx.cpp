#include "compiler/lower/code/InlinePtx.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>

using namespace mlir;

namespace tegula {

LLVM::InlineAsmOp emitAssembly(OpBuilder &builder, Location loc, TypeRange types, ValueRange operands,
                               StringRef text, StringRef constraints, bool hasSideEffects) {
  return LLVM::InlineAsmOp::create(builder, loc, types, operands, text, constraints, hasSideEffects,
                                   /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr());
}

/// LLVM's letter for the class of register that a type goes in.
static StringRef constraintOf(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return "l";
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type) && bits >= 32)
    return bits == 32 ? "f" : "d";
  return bits == 1 ? "b" : bits == 64 ? "l" : bits == 32 ? "r" : "h";
}

std::string InlinePtx::name(StringRef constraint) {
  if (!constraints.empty())
    constraints += ",";
  constraints += constraint;
  return llvm::formatv("${0}", count++);
}

std::string InlinePtx::result(Type type) {
  assert(values.empty() && "results come first");
  types.push_back(type);
  return name(("=" + constraintOf(type)).str());
}

std::string InlinePtx::operand(Value value) {
  values.push_back(value);
  return name(constraintOf(value.getType()));
}

SmallVector<std::string> InlinePtx::updated(ValueRange registers) {
  SmallVector<std::string> names;
  for (Value value : registers) {
    tied.emplace_back(unsigned(types.size()), value);
    names.push_back(result(value.getType()));
  }
  return names;
}

/// `a`, or `{a, b, ...}`.
static std::string vectorOf(ArrayRef<std::string> names) {
  return names.size() == 1 ? names.front() : "{" + llvm::join(names, ", ") + "}";
}

std::string InlinePtx::results(Type type, unsigned number) {
  SmallVector<std::string, 4> names;
  for (unsigned i = 0; i < number; ++i)
    names.push_back(result(type));
  return vectorOf(names);
}

std::string InlinePtx::operands(ValueRange vector) {
  SmallVector<std::string, 4> names;
  for (Value value : vector)
    names.push_back(operand(value));
  return vectorOf(names);
}

void InlinePtx::onlyIf(Value predicate, ValueRange otherwise) {
  condition = predicate;
  before.assign(otherwise.begin(), otherwise.end());
}

SmallVector<Value> InlinePtx::emit(StringRef text, bool hasSideEffects) {
  std::string whole = text.str();
  if (condition) {
    assert((before.empty() || before.size() == types.size()) && "all results have a value, or none");
    whole = "@" + operand(condition) + " " + whole;
    for (auto [index, value] : llvm::enumerate(before)) {
      values.push_back(value);
      name(std::to_string(index)); // the same register as that result
    }
  }
  for (auto [index, value] : tied) {
    values.push_back(value);
    name(std::to_string(index)); // the same register as that result
  }
  Type type = types.size() == 1 ? types.front() : Type();
  if (types.size() > 1)
    type = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  auto made = emitAssembly(builder, loc, type ? TypeRange(type) : TypeRange(), values, whole, constraints,
                           hasSideEffects);
  if (types.empty())
    return {};
  if (types.size() == 1)
    return {made.getResult(0)};
  SmallVector<Value> results;
  for (unsigned i = 0; i < types.size(); ++i)
    results.push_back(LLVM::ExtractValueOp::create(builder, loc, made.getResult(0), ArrayRef<int64_t>{i}));
  return results;
}

} // namespace tegula
