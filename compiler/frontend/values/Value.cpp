// Text and truth of values.
#include "compiler/frontend/values/Value.h"

#include "compiler/frontend/values/Builtin.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <cmath>
#include <fmt/format.h>

using namespace tegula;
using namespace tegula::eval;

namespace {

template <typename... Fs> struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <typename... Fs> Overloaded(Fs...) -> Overloaded<Fs...>;

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else {
      if (c == '\'' || c == '\\')
        out += '\\';
      out += c;
    }
  }
  return out + "'";
}

void append(std::string &out, const Value &value, bool quoteStrings);

std::string typeText(const TypeValue &type) {
  if (type.known)
    return "constexpr_type[" + toText(*type.known, /*quoteStrings=*/false) + "]";
  if (type.isVoid)
    return "void";
  if (type.isBlockPointer)
    return "pointer<" + typeName(type.dtype.pointee(), type.shape) + ">";
  return typeName(type.dtype, type.shape);
}

/// Texts of items with commas between, as far as a text may reach.
template <typename Items, typename Append>
void appendEach(std::string &out, const Items &items, Append append) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (out.size() > maxText) {
      out += ", ...";
      return;
    }
    out += i ? ", " : "";
    append(items[i]);
  }
}

void append(std::string &out, const Value &value, bool quoteStrings) {
  std::visit(Overloaded{
                 [&](Poison) { out += "?"; },
                 [&](None) { out += "None"; },
                 [&](bool flag) { out += flag ? "True" : "False"; },
                 [&](Int number) { out += toString(number); },
                 [&](double number) { out += toText(number); },
                 [&](std::string_view text) { out += quoteStrings ? quoted(text) : std::string(text); },
                 [&](const Tensor &tensor) { out += typeName(tensor.dtype, tensor.shape()); },
                 [&](const BlockPointer &) { out += describe(value); },
                 [&](const Descriptor &) { out += describe(value); },
                 [&](const TypeValue &type) { out += typeText(type); },
                 [&](const Tuple &tuple) {
                   if (tuple.names && tuple.names->aggregate)
                     out += tuple.names->type;
                   out += tuple.isList ? "[" : "(";
                   appendEach(out, tuple.items, [&](const Value &item) { append(out, item, true); });
                   out += tuple.isList ? "]" : tuple.items.size() == 1 ? ",)" : ")";
                 },
                 [&](const Dict &dict) {
                   out += "{";
                   appendEach(out, dict.items, [&](const auto &entry) {
                     append(out, entry.first, true);
                     out += ": ";
                     append(out, entry.second, true);
                   });
                   out += "}";
                 },
                 [&](const Range &range) {
                   out += fmt::format("range({}, {}, {})", range.start, range.stop, range.step);
                 },
                 [&](const auto &) { out += "<" + describe(value) + ">"; },
             },
             value.payload);
}

} // namespace

Shape Tensor::shape() const {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(ir.getType());
  return type ? type.getShape() : Shape();
}

uint64_t Range::size() const {
  if (step > 0)
    return start < stop ? (uint64_t(stop) - uint64_t(start) - 1) / uint64_t(step) + 1 : 0;
  return start > stop ? (uint64_t(start) - uint64_t(stop) - 1) / (-uint64_t(step)) + 1 : 0;
}

std::optional<Int> Value::asInt() const {
  if (const bool *flag = as<bool>())
    return Int(*flag);
  if (const Int *number = as<Int>())
    return *number;
  return std::nullopt;
}

std::optional<double> Value::asDouble() const {
  if (const double *number = as<double>())
    return *number;
  if (std::optional<Int> number = asInt())
    return double(*number);
  return std::nullopt;
}

const bound::HostFunction *eval::hostFunction(const HostObject &value) {
  const auto *function = std::get_if<std::shared_ptr<const bound::HostFunction>>(&value.bound->value);
  return function ? function->get() : nullptr;
}

Extent eval::extentOf(const Value &value) {
  if (const Tuple *tuple = value.as<Tuple>())
    return tuple->extent;
  if (const Dict *dict = value.as<Dict>())
    return dict->extent;
  return {1, 0, value.is<Unknown>()};
}

std::string eval::describe(const Value &value) {
  return std::visit(
      Overloaded{
          [](Poison) -> std::string { return "an error"; },
          [](None) -> std::string { return "None"; },
          [](bool) -> std::string { return "bool"; },
          [](Int) -> std::string { return "int"; },
          [](double) -> std::string { return "float"; },
          [](std::string_view) -> std::string { return "str"; },
          [](const Tensor &tensor) { return typeName(tensor.dtype, tensor.shape()); },
          [](const BlockPointer &pointer) {
            return "block pointer to " + typeName(pointer.element, pointer.block);
          },
          [](const Descriptor &descriptor) {
            return "tensor descriptor of blocks " + typeName(descriptor.element, descriptor.block);
          },
          [](const TypeValue &type) { return "type `" + typeText(type) + "`"; },
          [](const Tuple &tuple) {
            return tuple.names && tuple.names->aggregate ? asCode(tuple.names->type)
                                                         : std::string(tuple.isList ? "list" : "tuple");
          },
          [](const Dict &dict) -> std::string { return dict.isRecord ? "object" : "dict"; },
          [](const Function &function) { return "function " + asCode(function.definition->name); },
          [](Lambda) -> std::string { return "lambda"; },
          [](const BuiltinRef &ref) { return "function `" + qualifiedName(*ref.builtin) + "`"; },
          [](const ModuleRef &module) { return "module " + asCode(module.name); },
          [](const FileModule &module) { return "module " + asCode(module.name); },
          [](const HostObject &host) -> std::string {
            if (const auto *object = std::get_if<bound::Namespace>(&host.bound->value))
              return object->what.empty() ? "object" : object->what;
            return "function `" + hostFunction(host)->name + "`";
          },
          [](const Unknown &unknown) { return asCode(unknown.origin->name) + ", which has no value here"; },
          [](Range) -> std::string { return "range"; },
          [](RuntimeRange) -> std::string { return "range with run-time bounds"; },
          [](SliceValue) -> std::string { return "slice"; },
          [](EllipsisValue) -> std::string { return "`...`"; },
          [](Unset) -> std::string { return "a field that is not set yet"; },
      },
      value.payload);
}

std::string eval::describeType(const Value &value) {
  return value.is<Tuple>() ? toText(value, true) : describe(value);
}

std::string eval::toText(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string eval::toText(const Value &value, bool quoteStrings) {
  std::string out;
  append(out, value, quoteStrings);
  return out;
}

std::optional<bool> eval::truth(const Value &value) {
  if (isRuntime(value) && !value.is<Tuple>())
    return std::nullopt;
  if (value.is<Unknown>() || value.isPoison())
    return std::nullopt;
  if (value.isNone())
    return false;
  if (std::optional<double> number = value.asDouble())
    return *number != 0;
  if (const auto *text = value.as<std::string_view>())
    return !text->empty();
  if (const Tuple *tuple = value.as<Tuple>())
    return !tuple->items.empty();
  if (const Dict *dict = value.as<Dict>())
    return !dict->items.empty();
  if (const Range *range = value.as<Range>())
    return range->size() != 0;
  return true;
}

const Unknown *eval::findUnknown(const Value &value) {
  if (const Unknown *unknown = value.as<Unknown>())
    return unknown;
  if (!extentOf(value).hasUnknown)
    return nullptr;
  if (const Tuple *tuple = value.as<Tuple>())
    for (const Value &item : tuple->items)
      if (const Unknown *found = findUnknown(item))
        return found;
  if (const Dict *dict = value.as<Dict>())
    for (const auto &[key, held] : dict->items)
      if (const Unknown *found = findUnknown(held))
        return found;
  return nullptr;
}

llvm::SmallVector<mlir::Value, 8> eval::irOf(llvm::ArrayRef<Tensor> tensors) {
  return llvm::map_to_vector<8>(tensors, [](const Tensor &tensor) { return tensor.ir; });
}

bool eval::isRuntime(const Value &value) {
  if (const Tuple *tuple = value.as<Tuple>())
    return llvm::any_of(tuple->items, isRuntime);
  return value.is<Tensor>() || value.is<BlockPointer>() || value.is<Descriptor>();
}
