// Arguments of builtins as what their handlers expect.
#include "compiler/frontend/eval/calls/Call.h"

#include "compiler/frontend/eval/DeviceValues.h"
#include "compiler/frontend/eval/calls/FunctionCall.h"
#include "dialect/Counted.h"

using namespace tegula;
using namespace tegula::eval;

/// Returns true for arguments that functions written for Triton hand on to those of the language: its builder
/// of IR.
static bool isCompilersOwn(std::string_view keyword) {
  return keyword == "_semantic" || keyword == "_builder" || keyword == "_generator";
}

std::string eval::calledName(const Evaluation &evaluator, const Builtin &builtin) {
  const Frame *called = nullptr;
  for (const Frame *at = evaluator.frame; at && at->unit->isLibrary && at->function; at = at->parent)
    called = at;
  return called ? qualifiedName(*called->unit, *called->function) : qualifiedName(builtin);
}

SourceRange Call::valueRange(size_t index) const {
  const SourceRange whole = rangeOf(index);
  const llvm::StringRef code = reporter.source().slice(whole);
  const llvm::StringRef name = builtin.parameters[index].name;
  const llvm::StringRef behind = code.starts_with(name) ? code.substr(name.size()).ltrim() : "";
  if (!behind.starts_with("=") || behind.starts_with("=="))
    return whole;
  return {whole.end - uint32_t(behind.drop_front().ltrim().size()), whole.end};
}

SourceRange Call::calleeRange() const {
  const size_t length = reporter.source().slice(range).find('(');
  return {range.begin, length == std::string_view::npos ? range.begin : range.begin + uint32_t(length)};
}

Diagnostic &Call::report(SourceRange place, std::string message) {
  return reporter.error(place, "`" + calledName(evaluator, builtin) + "`: " + std::move(message));
}

Value Call::error(std::string message) {
  report(range, std::move(message));
  return Poison();
}

Value Call::errorAt(size_t index, std::string message) {
  report(rangeOf(index), std::move(message));
  return Poison();
}

void Call::errorOfKind(size_t index, std::string message) {
  Diagnostic &diagnostic = report(rangeOf(index), std::move(message));
  if (isDeviceValue(evaluator, arguments[index].expr))
    diagnostic.basis = Basis::Text;
}

std::optional<Tensor> Call::tensor(size_t index) {
  const Value &argument = value(index);
  if (argument.is<Tensor>() || argument.isNumber())
    return semantics.toTensor(argument, rangeOf(index));
  if (!argument.isPoison())
    errorAt(index, "expected a number or a tensor, found " + describe(argument));
  return std::nullopt;
}

std::optional<llvm::SmallVector<Tensor>> Call::tensors(size_t index) {
  const Tuple *list = value(index).as<Tuple>();
  if (!list) {
    if (!value(index).isPoison())
      errorAt(index, "expected a list of arguments, found " + describe(value(index)));
    return std::nullopt;
  }
  llvm::SmallVector<Tensor> tensors;
  for (const Value &item : list->items) {
    std::optional<Tensor> tensor = semantics.toTensor(item, rangeOf(index));
    if (!tensor)
      return std::nullopt;
    tensors.push_back(*tensor);
  }
  // The first grows to the shape of all, and then all others to that of the first.
  for (size_t round = 0; round < 2; ++round)
    for (size_t i = 1; i < tensors.size(); ++i)
      if (!semantics.broadcast(tensors[0], tensors[i], "arguments", rangeOf(index)))
        return std::nullopt;
  return tensors;
}

/// Adds the fix that declares the parameter at `place`, which may have its own name in front, `tl.constexpr`.
static void addConstexprFix(Evaluation &evaluator, Diagnostic &diagnostic, SourceRange place) {
  std::string_view name = evaluator.reporter.source().slice(place);
  if (const size_t sign = name.find('='); sign != std::string_view::npos)
    name = llvm::StringRef(name).substr(sign + 1).trim();
  if (!evaluator.frame->function || evaluator.frame->unit != evaluator.reporter.current()->unit)
    return;
  for (const ast::Parameter &parameter : evaluator.frame->function->parameters)
    if (parameter.name == name && !parameter.annotation && parameter.kind <= ast::ParameterKind::KeywordOnly)
      evaluator.reporter.addFix(diagnostic, "declare `" + std::string(name) + "` as `tl.constexpr`",
                                {{{parameter.nameRange.end, parameter.nameRange.end}, ": tl.constexpr"}});
}

std::optional<Int> Call::integer(const Value &argument, SourceRange place) {
  if (std::optional<Int> number = knownOf(argument).asInt())
    return number;
  if (!evaluator.hasValue(argument, place))
    return std::nullopt;
  Diagnostic &diagnostic =
      report(place, "expected an integer known at compile time, found " + describe(argument));
  if (const Tensor *tensor = argument.as<Tensor>(); tensor && tensor->isScalar()) {
    diagnostic.help = "declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`";
    addConstexprFix(evaluator, diagnostic, place);
  }
  return std::nullopt;
}

std::optional<unsigned> Call::axis(size_t index, Int number, size_t rank) {
  if (number >= -Int(rank) && number < Int(rank))
    return unsigned(number < 0 ? number + Int(rank) : number);
  errorAt(index, "invalid axis " + toString(number) + ", " +
                     (rank ? "expected one from " + toString(-Int(rank)) + " to " + toString(Int(rank) - 1)
                           : "a scalar has none"));
  return std::nullopt;
}

std::optional<Int> Call::integer(size_t index) { return integer(value(index), rangeOf(index)); }

std::optional<llvm::SmallVector<Int, 8>> Call::integers(const Value &argument, SourceRange place) {
  llvm::SmallVector<Int, 8> numbers;
  const Tuple *tuple = argument.as<Tuple>();
  for (const Value &item : tuple ? tuple->items : llvm::ArrayRef<Value>(argument)) {
    std::optional<Int> number = integer(item, place);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<llvm::SmallVector<Int, 8>> Call::integers(size_t index) {
  return integers(value(index), rangeOf(index));
}

std::optional<llvm::SmallVector<Int, 8>> Call::integersFromRest() {
  if (rest.size() == 1)
    return integers(rest[0].value, rest[0].range);
  llvm::SmallVector<Int, 8> numbers;
  for (const Argument &argument : rest) {
    std::optional<Int> number = integer(argument.value, argument.range);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<bool> Call::flag(size_t index, bool whenAbsent) {
  if (!given(index))
    return whenAbsent;
  if (std::optional<bool> known = truth(knownOf(value(index))))
    return known;
  errorOfKind(index, "expected a truth known at compile time, found " + describe(value(index)));
  return std::nullopt;
}

std::optional<std::string_view> Call::text(size_t index, std::string_view whenAbsent) {
  if (!given(index))
    return whenAbsent;
  if (const auto *known = value(index).as<std::string_view>())
    return *known;
  errorOfKind(index, "expected a string, found " + describe(value(index)));
  return std::nullopt;
}

std::optional<Dtype> Call::dtype(size_t index) {
  if (const TypeValue *type = value(index).as<TypeValue>(); type && !type->isVoid)
    return type->dtype;
  if (const auto *name = value(index).as<std::string_view>())
    if (std::optional<Dtype> known = dtypeByName(*name))
      return known;
  errorAt(index, "expected a type such as `tl.float32`, found " + describe(value(index)));
  return std::nullopt;
}

std::optional<std::vector<llvm::SmallVector<Value, 4>>> Call::rowsFromRest() {
  llvm::SmallVector<llvm::ArrayRef<Value>> columns;
  size_t shortest = rest.empty() ? 0 : ~size_t(0);
  for (const Argument &argument : rest) {
    std::optional<llvm::ArrayRef<Value>> items = evaluator.iterate(argument.value, argument.range);
    if (!items)
      return std::nullopt;
    columns.push_back(*items);
    shortest = std::min(shortest, items->size());
  }
  std::vector<llvm::SmallVector<Value, 4>> rows(shortest);
  for (size_t i = 0; i < shortest; ++i)
    for (llvm::ArrayRef<Value> column : columns)
      rows[i].push_back(column[i]);
  return rows;
}

std::optional<NanPolicy> Call::nanPolicy(size_t index) {
  if (!given(index))
    return NanPolicy::None;
  std::optional<Int> number = value(index).asInt();
  if (number && (*number == int(NanPolicy::None) || *number == int(NanPolicy::All)))
    return NanPolicy(int(*number));
  errorAt(index, "expected `tl.PropagateNan.NONE` or `tl.PropagateNan.ALL`, found " + describe(value(index)));
  return std::nullopt;
}

Value eval::callBuiltin(Evaluation &evaluator, const BuiltinRef &ref, const Arguments &arguments,
                        SourceRange range) {
  const Builtin &builtin = *ref.builtin;
  Call call(evaluator, builtin, range);
  std::span<const BuiltinParameter> parameters = builtin.parameters;
  const bool takesKeywords = !parameters.empty() && parameters.back().keywords;
  if (takesKeywords)
    parameters = parameters.first(parameters.size() - 1);
  call.arguments.resize(parameters.size());
  size_t next = 0;
  call.isMethod = ref.self;
  if (ref.self && !parameters.empty())
    call.arguments[next++] = {*ref.self, range, true};
  for (const Argument &argument : arguments.positional) {
    if (next < parameters.size() && parameters[next].rest) {
      call.rest.push_back(argument);
    } else if (next < parameters.size() && !parameters[next].keywordOnly) {
      call.arguments[next++] = argument;
    } else {
      size_t most =
          llvm::count_if(parameters, [](const BuiltinParameter &p) { return !p.keywordOnly && !p.rest; });
      call.report(argument.range, "expected at most " + counted(most - (ref.self ? 1 : 0), "argument") +
                                      ", found " + std::to_string(arguments.positional.size()))
          .basis = Basis::Text;
      return Poison();
    }
  }
  for (const auto &[keyword, argument] : arguments.keywords) {
    if (isCompilersOwn(keyword))
      continue;
    auto found = llvm::find_if(
        parameters, [&, wanted = keyword](const BuiltinParameter &p) { return p.name == wanted && !p.rest; });
    if (found == parameters.end() && takesKeywords) {
      call.keywords.emplace_back(keyword, argument);
      continue;
    }
    if (found == parameters.end()) {
      Diagnostic &diagnostic = evaluator.reporter.error(
          argument.range, asCode(calledName(evaluator, builtin)) + " has no parameter " + asCode(keyword));
      diagnostic.basis = Basis::Text;
      NearestName(keyword, parameters)
          .suggest(diagnostic, evaluator.reporter, keywordRange(argument, keyword));
      return Poison();
    }
    Argument &slot = call.arguments[size_t(found - parameters.begin())];
    if (slot.given) {
      call.report(argument.range, "parameter " + asCode(keyword) + " is given twice").basis = Basis::Text;
      return Poison();
    }
    slot = argument;
  }
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].required && !call.arguments[i].given) {
      call.report(range, "missing argument " + asCode(parameters[i].name)).basis = Basis::Text;
      return Poison();
    }
  auto isUsable = [&](const Argument &argument) {
    return builtin.takesUnknown || evaluator.hasValue(argument.value, argument.range);
  };
  if (!llvm::all_of(call.arguments, isUsable) || !llvm::all_of(call.rest, isUsable) ||
      !llvm::all_of(llvm::make_second_range(call.keywords), isUsable))
    return Poison();
  return builtin.handler(call);
}
