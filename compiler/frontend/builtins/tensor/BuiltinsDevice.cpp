// PTX by hand, special registers, and the hand-over between launches.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/builtins/tensor/BuiltinsTarget.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "dialect/tile/ops/InlineAsm.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

enum InlineAsm : size_t { Text, Constraints, Args, DtypeOf, IsPure, Pack };
/// More elements in one piece of PTX than this are a slip.
constexpr Int maxPack = 64;

/// The types that the argument `dtype`, one or a tuple of them, names.
std::optional<llvm::SmallVector<Dtype>> resultTypes(Call &call) {
  const Value &value = call.value(DtypeOf);
  const Tuple *tuple = value.as<Tuple>();
  llvm::SmallVector<Dtype> types;
  for (const Value &item : tuple ? tuple->items : llvm::ArrayRef<Value>(value)) {
    const TypeValue *type = item.as<TypeValue>();
    if (!type || type->isVoid || !type->shape.empty()) {
      if (!item.isPoison())
        call.errorAt(DtypeOf, "expected scalar types, found " + describe(item));
      return std::nullopt;
    }
    types.push_back(type->dtype);
  }
  if (!types.empty())
    return types;
  call.errorAt(DtypeOf, "expected at least one type of a result, found none");
  return std::nullopt;
}

/// The text, its constraints and its arguments, once numbers that stand for themselves, whose constraint is
/// `n`, are written into the text.
struct Assembly {
  std::string text, constraints;
  llvm::SmallVector<Value> arguments;
};

/// `text` with each register `$i` as `names[i]` says.
std::string renamed(llvm::StringRef text, llvm::ArrayRef<std::string> names) {
  std::string out;
  while (!text.empty()) {
    const size_t at = text.find('$');
    out += text.take_front(at);
    text = at == llvm::StringRef::npos ? llvm::StringRef() : text.drop_front(at);
    if (text.empty())
      break;
    llvm::StringRef rest = text.drop_front();
    const bool braced = rest.consume_front("{");
    size_t number = 0;
    const bool isKnown =
        !rest.consumeInteger(10, number) && number < names.size() && (!braced || rest.consume_front("}"));
    // Text that is no register stays, two characters of `$$` at once.
    if (!isKnown)
      rest = text.drop_front(std::min<size_t>(text.starts_with("$$") ? 2 : 1, text.size()));
    out += isKnown ? names[number] : text.drop_back(rest.size()).str();
    text = rest;
  }
  return out;
}

Assembly withNumbers(std::string_view text, std::string_view constraints, llvm::ArrayRef<Value> arguments) {
  Assembly made{std::string(text), {}, {}};
  llvm::SmallVector<std::string> names;
  size_t results = 0, registers = 0;
  for (llvm::StringRef entry : llvm::split(llvm::StringRef(constraints), ',')) {
    const llvm::StringRef kind = entry.trim();
    const bool isResult = kind.starts_with("="), isRegister = !isResult && !kind.starts_with("~");
    const size_t argument = names.size() - results;
    results += isResult;
    std::optional<Int> number;
    if (kind == "n" && argument < arguments.size())
      number = arguments[argument].asInt();
    if (isRegister && argument < arguments.size() && !number)
      made.arguments.push_back(arguments[argument]);
    if (isResult || isRegister)
      names.push_back(number ? toString(*number) : "$" + std::to_string(registers++));
    if (!number)
      made.constraints += (made.constraints.empty() ? "" : ",") + entry.str();
  }
  // More arguments than constraints are a mistake to be told.
  for (size_t i = names.size() - results; i < arguments.size(); ++i)
    made.arguments.push_back(arguments[i]);
  made.text = renamed(text, names);
  return made;
}

Value inlineAsmElementwise(Call &call) {
  std::optional<std::string_view> text = call.text(Text, ""), constraints = call.text(Constraints, "");
  // A pack would bring each number several times.
  Assembly assembly;
  if (const Tuple *given = call.value(Args).as<Tuple>(); given && text && constraints &&
                                                         constraints->find('n') != constraints->npos &&
                                                         call.value(Pack).asInt() == Int(1)) {
    assembly = withNumbers(*text, *constraints, given->items);
    text = assembly.text;
    constraints = assembly.constraints;
    call.arguments[Args].value =
        call.evaluator.memory.tuple(assembly.arguments, given->isList, call.rangeOf(Args));
  }
  std::optional<llvm::SmallVector<Dtype>> types = resultTypes(call);
  std::optional<bool> isPure = call.flag(IsPure, false);
  std::optional<Int> pack = call.integer(Pack);
  std::optional<llvm::SmallVector<Tensor>> arguments = call.tensors(Args);
  if (!text || !constraints || !types || !isPure || !pack || !arguments)
    return Poison();
  if (*pack < 1 || *pack > maxPack)
    return call.errorAt(Pack,
                        "expected 1 to " + toString(maxPack) + " elements a pack, found " + toString(*pack));
  const Shape shape = arguments->empty() ? Shape() : arguments->front().shape();
  const llvm::SmallVector<mlir::Value, 8> operands = irOf(*arguments);
  llvm::SmallVector<mlir::Type> results;
  for (Dtype type : *types)
    results.push_back(call.emit.type(type, shape));
  if (std::string problem = tile::inlineAsmProblem(*text, *constraints, mlir::ValueRange(operands).getTypes(),
                                                   results, unsigned(*pack));
      !problem.empty())
    return call.error(problem);
  auto made = tile::InlineAsmOp::create(call.emit.builder, call.emit.loc, results, llvm::StringRef(*text),
                                        llvm::StringRef(*constraints), *isPure, uint32_t(*pack), operands);
  llvm::SmallVector<Value> values;
  for (auto [type, result] : llvm::zip_equal(*types, made.getResults()))
    values.push_back(Tensor{result, type});
  return call.value(DtypeOf).is<Tuple>() ? call.evaluator.memory.tuple(values, false, call.range)
                                         : values.front();
}

Tensor readSpecial(Call &call, tile::SpecialRegister which, ScalarKind kind) {
  const Dtype type{kind};
  return {call.emit.make<tile::ReadSpecialOp>(call.emit.type(type), which), type};
}
Value globaltimer(Call &call) {
  return readSpecial(call, tile::SpecialRegister::GlobalTimer, ScalarKind::Int64);
}
Value smid(Call &call) { return readSpecial(call, tile::SpecialRegister::SmId, ScalarKind::Int32); }

Value gridDependency(Call &call, tile::GridDependency step) {
  if (!targetHas(call.evaluator.spec, &Target::gridDependency))
    return call.error(targetExpected(&Target::gridDependency) + ", found " + call.evaluator.spec.target);
  tile::GridDependencyOp::create(call.emit.builder, call.emit.loc, step);
  return None();
}
Value gdcWait(Call &call) { return gridDependency(call, tile::GridDependency::Wait); }
Value gdcLaunchDependents(Call &call) { return gridDependency(call, tile::GridDependency::LaunchDependents); }

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsDevice.inc"
