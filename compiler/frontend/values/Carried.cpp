// Walks over values; tuples within are of bounded depth and size.
#include "compiler/frontend/values/Carried.h"

#include <cmath>

using namespace tegula;
using namespace tegula::eval;

void eval::flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &out) {
  if (const Tensor *tensor = value.as<Tensor>()) {
    out.push_back(tensor->ir);
  } else if (const BlockPointer *pointer = value.as<BlockPointer>()) {
    out.push_back(pointer->view);
    llvm::append_range(out, irOf(startsOf(*pointer)));
  } else if (const Descriptor *descriptor = value.as<Descriptor>()) {
    out.push_back(descriptor->view);
    llvm::append_range(out, irOf(sizesOf(*descriptor)));
    llvm::append_range(out, irOf(stridesOf(*descriptor)));
  } else if (const Tuple *tuple = value.as<Tuple>()) {
    for (const Value &item : tuple->items)
      flatten(item, out);
  }
}

/// `like` with the first ones of `values`.
static const Tensor *replaced(Memory &memory, llvm::ArrayRef<Tensor> like,
                              llvm::ArrayRef<mlir::Value> &values) {
  llvm::SmallVector<Tensor, 8> tensors(like);
  for (Tensor &tensor : tensors)
    tensor.ir = values.consume_front();
  return memory.keepAll(tensors);
}

Value eval::rebuild(Memory &memory, const Value &like, llvm::ArrayRef<mlir::Value> &values) {
  if (const Tensor *tensor = like.as<Tensor>())
    return Tensor{values.consume_front(), tensor->dtype};
  if (const BlockPointer *pointer = like.as<BlockPointer>()) {
    BlockPointer made = *pointer;
    made.view = values.consume_front();
    made.starts = replaced(memory, startsOf(*pointer), values);
    return made;
  }
  if (const Descriptor *descriptor = like.as<Descriptor>()) {
    Descriptor made = *descriptor;
    made.view = values.consume_front();
    made.sizes = replaced(memory, sizesOf(*descriptor), values);
    made.strides = replaced(memory, stridesOf(*descriptor), values);
    return made;
  }
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
  return a.names->type == b.names->type && a.names->aggregate == b.names->aggregate &&
         a.names->fields == b.names->fields;
}

template <typename Same>
static bool compareAll(llvm::ArrayRef<Tensor> a, llvm::ArrayRef<Tensor> b, Same same) {
  return a.size() == b.size() && llvm::all_of(llvm::zip_equal(a, b), [&](auto pair) {
           return same(std::get<0>(pair), std::get<1>(pair));
         });
}

/// Views are compared as tensors of their elements are.
template <typename Same> static bool compare(const BlockPointer &a, const BlockPointer &b, Same same) {
  return a.block == b.block && a.isConst == b.isConst &&
         same(Tensor{a.view, a.element}, Tensor{b.view, b.element}) &&
         compareAll(startsOf(a), startsOf(b), same);
}

template <typename Same> static bool compare(const Descriptor &a, const Descriptor &b, Same same) {
  return a.block == b.block && a.padsWithNan == b.padsWithNan && a.roundsToTf32 == b.roundsToTf32 &&
         same(Tensor{a.view, a.element}, Tensor{b.view, b.element}) &&
         compareAll(sizesOf(a), sizesOf(b), same) && compareAll(stridesOf(a), stridesOf(b), same);
}

/// Compares leaf by leaf with `same` for tensors.
template <typename Same> static bool compare(const Value &a, const Value &b, Same same) {
  if (a.payload.index() != b.payload.index())
    return false;
  if (const Tensor *tensor = a.as<Tensor>())
    return same(*tensor, *b.as<Tensor>());
  if (const BlockPointer *pointer = a.as<BlockPointer>())
    return compare(*pointer, *b.as<BlockPointer>(), same);
  if (const Descriptor *descriptor = a.as<Descriptor>())
    return compare(*descriptor, *b.as<Descriptor>(), same);
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
    return *real == *b.as<double>() || (std::isnan(*real) && std::isnan(*b.as<double>()));
  if (const auto *text = a.as<std::string_view>())
    return *text == *b.as<std::string_view>();
  if (const TypeValue *type = a.as<TypeValue>()) {
    const TypeValue *other = b.as<TypeValue>();
    if (type->known || other->known)
      return type->known && other->known && isIdentical(*type->known, *other->known);
    return type->isVoid == other->isVoid && type->isBlockPointer == other->isBlockPointer &&
           type->dtype == other->dtype && type->shape == other->shape;
  }
  if (const Function *function = a.as<Function>())
    return function->definition == b.as<Function>()->definition && function->self == b.as<Function>()->self;
  if (const BuiltinRef *ref = a.as<BuiltinRef>())
    return ref->builtin == b.as<BuiltinRef>()->builtin && ref->self == b.as<BuiltinRef>()->self;
  if (const ModuleRef *module = a.as<ModuleRef>())
    return module->id == b.as<ModuleRef>()->id;
  if (const HostObject *host = a.as<HostObject>())
    return host->bound == b.as<HostObject>()->bound;
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
