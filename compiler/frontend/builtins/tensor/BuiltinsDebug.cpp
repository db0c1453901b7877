// Messages and checks at compile time and on the device, and what the author knows about values.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"

#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

Value staticPrint(Call &call) {
  std::optional<std::string_view> separator = call.text(1, " ");
  if (!separator)
    return Poison();
  std::string text;
  for (size_t i = 0; i < call.rest.size(); ++i) {
    if (!call.evaluator.isKnownThroughout(call.rest[i].value, call.rest[i].range))
      return Poison();
    text += (i ? std::string(*separator) : "") + toText(call.rest[i].value, false);
  }
  call.reporter.report(Severity::Remark, call.range, std::move(text));
  return None();
}

Value staticAssert(Call &call) {
  std::optional<bool> holds = truth(knownOf(call.value(0)));
  if (!holds)
    return call.errorAt(0, "expected a condition known at compile time, found " + describe(call.value(0)));
  if (*holds)
    return None();
  std::string message = call.given(1) ? toText(call.value(1), false) : "";
  // An assertion of the library is about the user's call, and says so itself.
  if (call.evaluator.frame->unit->isLibrary) {
    call.reporter.error(call.range, message);
    return Poison();
  }
  call.reporter.error(call.range,
                      message.empty() ? "static assertion failed" : "static assertion failed: " + message);
  return Poison();
}

/// The prefix as it stands in a line: between blanks, and with a colon in front of values. These are Triton's
/// rules, to the letter.
std::string prefixInLine(std::string prefix, bool hasValues) {
  if (hasValues && !prefix.ends_with(' '))
    prefix += ' ';
  if (hasValues && !prefix.ends_with(": "))
    prefix.replace(prefix.size() - 1, 1, ": ");
  return prefix.size() > 2 && !prefix.starts_with(' ') ? " " + prefix : prefix;
}

/// `tl.device_print` and Python's `print` in a kernel.
Value devicePrint(Call &call) {
  if (call.evaluator.frame->mode == Mode::Host)
    return None(); // what a module prints is of no concern to its kernels
  if (!call.evaluator.hasValue(call.value(0), call.rangeOf(0)))
    return Poison();
  for (const Argument &argument : call.rest)
    if (!call.evaluator.hasValue(argument.value, argument.range))
      return Poison();
  std::optional<std::string_view> prefix = call.text(0, "");
  std::optional<bool> hex = call.flag(2, false);
  if (!prefix || !hex)
    return Poison();
  if (!llvm::all_of(*prefix, [](char c) { return llvm::isPrint(c) || llvm::isSpace(c); }))
    return call.errorAt(0, "expected printable ASCII as the prefix");
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<bool> isSigned;
  for (const Argument &argument : call.rest) {
    std::optional<Tensor> value = call.semantics.toTensor(argument.value, argument.range);
    if (!value)
      return Poison();
    if (value->dtype.isFloat8() || (*hex && value->dtype.isFloat() && !call.language().printsFloatsInHex))
      value = call.emit.bitcast(*value, *dtypeByName("uint" + std::to_string(value->dtype.bits())));
    operands.push_back(value->ir);
    isSigned.push_back(value->dtype.isSigned());
  }
  tile::PrintOp::create(
      call.emit.builder, call.emit.loc,
      call.emit.builder.getStringAttr(prefixInLine(std::string(*prefix), !operands.empty())),
      call.emit.builder.getDenseBoolArrayAttr(isSigned),
      *hex ? call.emit.builder.getUnitAttr() : mlir::UnitAttr(), operands);
  return None();
}

std::optional<Tensor> truthArgument(Call &call, size_t index) {
  std::optional<Tensor> value = call.tensor(index);
  if (!value)
    return std::nullopt;
  return call.semantics.cast(*value, {ScalarKind::Int1}, call.rangeOf(index));
}

Value deviceAssert(Call &call) {
  std::optional<std::string_view> message = call.text(1, "");
  std::optional<Tensor> condition = truthArgument(call, 0);
  if (!message || !condition || !call.evaluator.spec.debug)
    return message && condition ? Value(None()) : Value(Poison());
  if (call.given(2)) {
    std::optional<Tensor> mask = truthArgument(call, 2);
    if (!mask)
      return Poison();
    // Holds where the mask does not.
    Value excused = call.semantics.unary(ast::UnaryOp::Not, *mask, call.rangeOf(2));
    Value either = call.semantics.binary(ast::BinaryOp::BitOr, *condition, excused, call.range);
    if (!either.is<Tensor>())
      return Poison();
    condition = *either.as<Tensor>();
  }
  tile::AssertOp::create(call.emit.builder, call.emit.loc, condition->ir, llvm::StringRef(*message));
  return None();
}

Value assume(Call &call) {
  if (const bool *known = call.value(0).as<bool>(); known && *known)
    return None();
  std::optional<Tensor> condition = truthArgument(call, 0);
  if (!condition)
    return Poison();
  if (!condition->isScalar())
    return call.errorAt(0, "expected a scalar condition, found " + describe(*condition));
  tile::AssumeOp::create(call.emit.builder, call.emit.loc, condition->ir);
  return None();
}

enum class Hint : uint8_t { Contiguity, Divisibility, Constancy };

template <Hint kind> Value hint(Call &call, const Value &input, const Integers &numbers) {
  const Tensor *value = input.as<Tensor>();
  if (!value) // of a number everything is known
    return input.isNumber() ? input : orPoison(call.tensor(0));
  size_t expected = std::max<size_t>(1, value->shape().size());
  if (numbers.size() != expected)
    return call.errorAt(1, "expected a number for each of " + std::to_string(expected) +
                               " dimensions, found " + std::to_string(numbers.size()));
  llvm::SmallVector<int64_t, 8> list;
  for (Int number : numbers) {
    if (number < 1 || !fits(number, {ScalarKind::Int32}))
      return call.errorAt(1, "expected positive numbers of 32 bits, found " + toString(number));
    list.push_back(int64_t(number));
  }
  mlir::DenseI64ArrayAttr given = call.emit.builder.getDenseI64ArrayAttr(list), none;
  return Tensor{tile::HintOp::create(call.emit.builder, call.emit.loc, value->ir.getType(), value->ir,
                                     kind == Hint::Contiguity ? given : none,
                                     kind == Hint::Divisibility ? given : none,
                                     kind == Hint::Constancy ? given : none),
                value->dtype};
}

constexpr auto multipleOf = hint<Hint::Divisibility>, maxContiguous = hint<Hint::Contiguity>,
               maxConstancy = hint<Hint::Constancy>;

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsDebug.inc"
