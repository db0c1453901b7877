// Holds the parts of values during one compilation, and limits how much is evaluated.
#pragma once

#include "compiler/frontend/values/Report.h"
#include "compiler/frontend/values/Value.h"

#include "llvm/Support/Allocator.h"

namespace tegula::eval {

/// Steps that a compilation may take at compile time; a step is one expression, statement, item or
/// 16 characters of text. No kernel in use comes near; an endless loop ends within a second.
inline constexpr uint64_t maxSteps = 1'000'000;
/// Ops that a kernel may consist of after unrolling and inlining.
inline constexpr uint64_t maxOps = 250'000;

class Memory {
public:
  explicit Memory(Reporter &reporter) : reporter(reporter) {}

  /// Counts `steps`; past the limit reports it at `range`, stops the evaluation and returns false.
  bool charge(SourceRange range, uint64_t steps = 1) {
    taken += steps;
    return taken <= maxSteps ? true : exhausted(range);
  }

  /// Poison where the tuple would be too large or too deep.
  Value tuple(llvm::ArrayRef<Value> items, bool isList, SourceRange range, const TupleNames *names = nullptr);
  const TupleNames *tupleNames(std::string_view type, llvm::ArrayRef<std::string> fields);
  /// The sides of a tensor.
  Value sides(Shape shape, bool isList, SourceRange range);
  Value dict(llvm::ArrayRef<std::pair<Value, Value>> items, SourceRange range);
  /// A dict whose texts are names of attributes.
  Value record(llvm::ArrayRef<std::pair<Value, Value>> fields, SourceRange range);
  Value text(std::string_view text, SourceRange range);
  /// A name without a value. Each call makes another one: two are the same only as copies.
  Value unknown(const UnknownOrigin &origin);
  /// The same of what is reached at `path` through another: an attribute of a module, the result of a call.
  Value unknownPart(const UnknownOrigin &whole, std::string_view path, SourceRange range);
  /// A value that does not move.
  const Value *keep(const Value &value);
  llvm::ArrayRef<Value> keepAll(llvm::ArrayRef<Value> values);
  const Tensor *keepAll(llvm::ArrayRef<Tensor> tensors);

private:
  bool exhausted(SourceRange range);
  bool admit(Extent &total, const Value &item, SourceRange range);

  Reporter &reporter;
  llvm::BumpPtrAllocator allocator;
  uint64_t taken = 0;
};

} // namespace tegula::eval
