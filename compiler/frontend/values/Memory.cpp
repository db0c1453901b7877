// The limits on what is made at compile time.
#include "compiler/frontend/values/Memory.h"

using namespace tegula;
using namespace tegula::eval;

bool Memory::exhausted(SourceRange range) {
  if (!reporter.stopped())
    reporter
        .fatal(range,
               "evaluation at compile time exceeds its budget of " + std::to_string(maxSteps) + " steps")
        .help = "make the range or the number of unrolled iterations smaller";
  return false;
}

bool Memory::admit(Extent &total, const Value &item, SourceRange range) {
  Extent extent = extentOf(item);
  total.leaves += extent.leaves;
  total.depth = std::max(total.depth, extent.depth + 1);
  total.hasUnknown = total.hasUnknown || extent.hasUnknown;
  if (total.leaves > maxTupleLeaves) {
    reporter.fatal(range,
                   "expected at most " + std::to_string(maxTupleLeaves) + " values in a tuple or list");
    return false;
  }
  if (total.depth > maxTupleDepth) {
    reporter.fatal(range,
                   "expected tuples and lists that nest at most " + std::to_string(maxTupleDepth) + " deep");
    return false;
  }
  return true;
}

Value Memory::tuple(llvm::ArrayRef<Value> items, bool isList, SourceRange range, const TupleNames *names) {
  if (!charge(range, items.size()))
    return Poison();
  Extent extent;
  for (const Value &item : items)
    if (!admit(extent, item, range))
      return Poison();
  return Tuple{keepAll(items), isList, extent, names};
}

const TupleNames *Memory::tupleNames(std::string_view type, llvm::ArrayRef<std::string> fields) {
  const llvm::SmallVector<std::string_view, 8> names(fields.begin(), fields.end());
  return new (allocator.Allocate<TupleNames>()) TupleNames{type, llvm::ArrayRef(names).copy(allocator)};
}

Value Memory::sides(Shape shape, bool isList, SourceRange range) {
  llvm::SmallVector<Value, 8> sides;
  for (int64_t side : shape)
    sides.push_back(Int(side));
  return tuple(sides, isList, range);
}

Value Memory::dict(llvm::ArrayRef<std::pair<Value, Value>> items, SourceRange range) {
  if (!charge(range, items.size()))
    return Poison();
  Extent extent;
  for (const auto &[key, value] : items)
    if (!admit(extent, key, range) || !admit(extent, value, range))
      return Poison();
  return Dict{items.copy(allocator), extent};
}

Value Memory::record(llvm::ArrayRef<std::pair<Value, Value>> fields, SourceRange range) {
  Value made = dict(fields, range);
  if (Dict *plain = std::get_if<Dict>(&made.payload))
    plain->isRecord = true;
  return made;
}

Value Memory::text(std::string_view text, SourceRange range) {
  if (text.size() > maxText)
    return reporter.refuse(range, "expected a string of at most " + std::to_string(maxText) + " bytes");
  if (!charge(range, text.size() / 16))
    return Poison();
  char *copy = static_cast<char *>(allocator.Allocate(text.size() + 1, 1));
  std::copy(text.begin(), text.end(), copy);
  return std::string_view(copy, text.size());
}

llvm::ArrayRef<Value> Memory::keepAll(llvm::ArrayRef<Value> values) { return values.copy(allocator); }

const Tensor *Memory::keepAll(llvm::ArrayRef<Tensor> tensors) { return tensors.copy(allocator).data(); }

Value Memory::unknown(const UnknownOrigin &origin) {
  return Unknown{new (allocator.Allocate<UnknownOrigin>()) UnknownOrigin(origin)};
}

Value Memory::unknownPart(const UnknownOrigin &whole, std::string_view path, SourceRange range) {
  const Value kept = text(path, range);
  if (kept.isPoison())
    return kept;
  UnknownOrigin part = whole;
  part.kind = UnknownOrigin::Kind::Module;
  part.name = part.path = *kept.as<std::string_view>();
  return unknown(part);
}

const Value *Memory::keep(const Value &value) { return keepAll(value).data(); }
