// Walks over values; tuples within are of bounded depth and size.
#include "compiler/frontend/values/Carried.h"

using namespace tegula;
using namespace tegula::eval;

void eval::flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &out) {
  if (const Tensor *tensor = value.as<Tensor>())
    out.push_back(tensor->ir);
  else if (const Tuple *tuple = value.as<Tuple>())
    for (const Value &item : tuple->items)
      flatten(item, out);
}

Value eval::rebuild(Memory &memory, const Value &like, llvm::ArrayRef<mlir::Value> &values) {
  if (const Tensor *tensor = like.as<Tensor>())
    return Tensor{values.consume_front(), tensor->dtype};
  const Tuple *tuple = like.as<Tuple>();
  if (!tuple)
    return like;
  llvm::SmallVector<Value> items;
  for (const Value &item : tuple->items)
    items.push_back(rebuild(memory, item, values));
  return memory.tuple(items, tuple->isList, {}, tuple->names);
}

static bool haveSameNames(const Tuple &a, const Tuple &b) {
  if (!a.names || !b.names)
    return a.names == b.names;
  return a.names->type == b.names->type && a.names->fields == b.names->fields;
}

/// Compares leaf by leaf with `same` for tensors.
template <typename Same> static bool compare(const Value &a, const Value &b, Same same) {
  if (a.payload.index() != b.payload.index())
    return false;
  if (const Tensor *tensor = a.as<Tensor>())
    return same(*tensor, *b.as<Tensor>());
  if (const Tuple *tuple = a.as<Tuple>()) {
    llvm::ArrayRef<Value> items = tuple->items, others = b.as<Tuple>()->items;
    if (items.size() != others.size() || !haveSameNames(*tuple, *b.as<Tuple>()))
      return false;
    for (size_t i = 0; i < items.size(); ++i)
      if (!compare(items[i], others[i], same))
        return false;
    return true;
  }
  if (const bool *flag = a.as<bool>())
    return *flag == *b.as<bool>();
  if (const Int *number = a.as<Int>())
    return *number == *b.as<Int>();
  if (const double *real = a.as<double>())
    return *real == *b.as<double>() || (*real != *real && *b.as<double>() != *b.as<double>());
  if (const auto *text = a.as<std::string_view>())
    return *text == *b.as<std::string_view>();
  if (const TypeValue *type = a.as<TypeValue>()) {
    const TypeValue *other = b.as<TypeValue>();
    return type->isVoid == other->isVoid && type->dtype == other->dtype && type->shape == other->shape;
  }
  if (const Function *function = a.as<Function>())
    return function->definition == b.as<Function>()->definition && function->self == b.as<Function>()->self;
  if (const BuiltinRef *ref = a.as<BuiltinRef>())
    return ref->builtin == b.as<BuiltinRef>()->builtin && ref->self == b.as<BuiltinRef>()->self;
  if (const ModuleRef *module = a.as<ModuleRef>())
    return module->id == b.as<ModuleRef>()->id;
  if (const HostValue *host = a.as<HostValue>())
    return host->bound == b.as<HostValue>()->bound;
  if (const Unknown *unknown = a.as<Unknown>())
    return unknown->origin == b.as<Unknown>()->origin;
  return a.isNone() || a.is<EllipsisValue>();
}

bool eval::isIdentical(const Value &a, const Value &b) {
  return compare(a, b, [](const Tensor &x, const Tensor &y) { return x.ir == y.ir && x.dtype == y.dtype; });
}

bool eval::isCompatible(const Value &a, const Value &b) {
  return compare(a, b, [](const Tensor &x, const Tensor &y) {
    return x.dtype == y.dtype && x.ir.getType() == y.ir.getType();
  });
}
