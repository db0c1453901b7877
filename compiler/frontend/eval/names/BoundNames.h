// Converts names bound by a host to values of the evaluator, and calls the host's functions.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

#include "llvm/ADT/DenseMap.h"

namespace tegula::eval {

/// `value`, which is known at compile time, for the host; nothing where the host has none such. Without a
/// `program` it has no functions, and what has no text of its own either: modules, objects, dicts.
std::optional<BoundValue> toBound(const Value &value, const Units *program = nullptr);

class BoundNames {
public:
  explicit BoundNames(Evaluation &evaluator) : evaluator(evaluator) {}

  /// Finds the meaning of `name` in `unit`, whose names are bound: its bound value, else the function of that
  /// name in the unit's own text; absent where it is neither. `range`, in the current unit, is where it is
  /// read.
  std::optional<Value> find(const Unit &unit, std::string_view name, SourceRange range);

  /// Returns the value that the specification gives the parameter `name`; messages about it are at `range`.
  Value given(const BoundValue &value, std::string_view name, SourceRange range);

  /// An attribute of a namespace; absent where it has none of that name.
  std::optional<Value> attribute(const Value &object, std::string_view name, SourceRange range);

  /// Runs `function` of the host with what is known at compile time.
  Value call(const bound::HostFunction &function, const Arguments &arguments, SourceRange range);

private:
  Value read(const BoundValue &bound, std::string_view name, SourceRange range);
  Value make(const BoundValue &bound, std::string_view name, SourceRange range, unsigned depth);
  Value makeItems(llvm::ArrayRef<BoundValue> items, bool isList, std::string_view name, SourceRange range,
                  unsigned depth);
  Value makeFunction(const bound::Function &function, std::string_view name, SourceRange range);
  Value functionOfFile(const Unit &unit, std::string_view path, std::string_view name, SourceRange range);
  Value makeLanguage(const bound::Language &language, std::string_view name, SourceRange range);

  Evaluation &evaluator;
  llvm::DenseMap<const BoundValue *, Value> known;
  std::deque<BoundValue> kept; ///< what values point to: results of the host's functions, parameters
};

} // namespace tegula::eval
