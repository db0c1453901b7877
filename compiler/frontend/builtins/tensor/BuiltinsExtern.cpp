// Functions of linked libraries.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "dialect/tile/ops/ExternCall.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

enum ExternElementwise : size_t { LibName, LibPath, Args, Symbols, IsPure };

/// A function that takes these types.
struct Symbol {
  std::string_view name;
  Dtype result;
};

std::optional<Dtype> scalarType(const Value &value) {
  const TypeValue *type = value.as<TypeValue>();
  if (!type || type->isVoid || !type->shape.empty())
    return std::nullopt;
  return type->dtype;
}

/// "(int32, fp32)".
std::string typesText(llvm::ArrayRef<Dtype> types) {
  std::string text;
  for (Dtype type : types)
    text += (text.empty() ? "" : ", ") + typeName(type);
  return "(" + text + ")";
}

/// The types that a key of the table lists, or nothing.
std::optional<llvm::SmallVector<Dtype>> typesOf(const Value &key) {
  const Tuple *tuple = key.as<Tuple>();
  llvm::SmallVector<Dtype> types;
  for (const Value &item : tuple ? tuple->items : llvm::ArrayRef<Value>()) {
    std::optional<Dtype> type = scalarType(item);
    if (!type)
      return std::nullopt;
    types.push_back(*type);
  }
  return tuple ? std::optional(types) : std::nullopt;
}

std::optional<Symbol> symbolOf(const Value &value) {
  const Tuple *tuple = value.as<Tuple>();
  if (!tuple || tuple->items.size() != 2)
    return std::nullopt;
  const auto *name = tuple->items[0].as<std::string_view>();
  std::optional<Dtype> result = scalarType(tuple->items[1]);
  return name && result ? std::optional(Symbol{*name, *result}) : std::nullopt;
}

/// The argument `arg_type_symbol_dict`, by the types that each function takes.
std::optional<std::vector<std::pair<llvm::SmallVector<Dtype>, Symbol>>> symbolsOf(Call &call) {
  const Dict *dict = call.value(Symbols).as<Dict>();
  std::vector<std::pair<llvm::SmallVector<Dtype>, Symbol>> symbols;
  for (const auto &[key, value] : dict ? dict->items : llvm::ArrayRef<std::pair<Value, Value>>()) {
    std::optional<llvm::SmallVector<Dtype>> types = typesOf(key);
    std::optional<Symbol> symbol = symbolOf(value);
    if (!types || !symbol) {
      call.errorAt(Symbols, "expected tuples of types as keys and of a name and a type as values, found " +
                                describeType(key) + ": " + describeType(value));
      return std::nullopt;
    }
    if (!tile::isSymbolName(llvm::StringRef(symbol->name))) {
      call.errorAt(Symbols, "expected the name of a function, found " + asCode(symbol->name));
      return std::nullopt;
    }
    symbols.emplace_back(std::move(*types), *symbol);
  }
  if (!symbols.empty())
    return symbols;
  call.errorAt(Symbols, "expected a dict with a function for each list of types, found " +
                            describe(call.value(Symbols)));
  return std::nullopt;
}

llvm::SmallVector<Dtype> typesOf(llvm::ArrayRef<Tensor> tensors) {
  llvm::SmallVector<Dtype> types;
  for (const Tensor &tensor : tensors)
    types.push_back(tensor.dtype);
  return types;
}

/// Gives numbers that no function takes as they are the type that they have in common, as Triton does.
bool promote(Call &call, llvm::SmallVectorImpl<Tensor> &arguments) {
  if (arguments.empty() || llvm::any_of(arguments, [](const Tensor &it) { return it.dtype.isPointer(); }))
    return true;
  Value common = arguments.front();
  for (const Tensor &argument : arguments) {
    std::optional<Semantics::Pair> pair =
        call.semantics.unify(common, argument, {}, "arguments", call.rangeOf(Args));
    if (!pair)
      return false;
    common = pair->left;
  }
  for (Tensor &argument : arguments) {
    std::optional<Tensor> cast =
        call.semantics.cast(argument, common.as<Tensor>()->dtype, call.rangeOf(Args));
    if (!cast)
      return false;
    argument = *cast;
  }
  return true;
}

Value externElementwise(Call &call) {
  std::optional<std::string_view> library = call.text(LibName, ""), path = call.text(LibPath, "");
  auto symbols = symbolsOf(call);
  std::optional<bool> isPure = call.flag(IsPure, false);
  std::optional<llvm::SmallVector<Tensor>> arguments = call.tensors(Args);
  if (!library || !path || !symbols || !isPure || !arguments)
    return Poison();
  const auto find = [&] {
    return llvm::find_if(*symbols, [&](const auto &entry) { return entry.first == typesOf(*arguments); });
  };
  auto found = find();
  const llvm::SmallVector<Dtype> given = typesOf(*arguments);
  if (found == symbols->end()) {
    if (!promote(call, *arguments))
      return Poison();
    found = find();
  }
  if (found == symbols->end()) {
    std::string known;
    for (const auto &[types, symbol] : *symbols)
      known += (known.empty() ? "" : ", ") + typesText(types);
    return call.errorAt(Args, "expected arguments of the types " + known + ", found " + typesText(given));
  }
  const Shape shape = arguments->empty() ? Shape() : arguments->front().shape();
  const llvm::SmallVector<mlir::Value, 8> operands = irOf(*arguments);
  const Symbol &symbol = found->second;
  auto made =
      tile::ExternCallOp::create(call.emit.builder, call.emit.loc, call.emit.type(symbol.result, shape),
                                 llvm::StringRef(symbol.name), *isPure, operands);
  return Tensor{made.getResult(), symbol.result};
}

Value notMadeByCalling(Call &call) { return call.error("expected it to decorate a function"); }

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsExtern.inc"
