// Classes decorated `@tl.core._aggregate`: values of several fields with functions of their own.
#pragma once

#include "compiler/frontend/values/ParsedProgram.h"
#include "compiler/frontend/values/Value.h"

#include <vector>

namespace tegula::eval {

class Evaluator;
struct Arguments;

struct AggregateField {
  std::string_view name;
  const ast::Expr *annotation;
  const ast::Expr *defaultValue; ///< null where there is none
  const Unit *unit;              ///< that both stand in
};

/// A class with the fields of those that it derives from first, each once.
struct AggregateClass {
  const ast::ClassStmt *definition;
  const Unit *unit;
  llvm::SmallVector<const AggregateClass *, 2> bases;
  std::vector<AggregateField> fields;
  std::vector<std::string_view> fieldNames;
  TupleNames names; ///< of its values: what marks them

  /// The function `name` of the class, or of the first base that has it; null where none has.
  std::optional<Function> function(std::string_view name) const;
};

/// While `__init__` runs: the value that it makes.
struct Construction {
  const AggregateClass *made;
  std::string_view self; ///< what `__init__` calls it
};

/// The class that `value` is one of, or null.
inline const AggregateClass *aggregateOf(const Value &value) {
  const Tuple *tuple = value.as<Tuple>();
  return tuple && tuple->names ? tuple->names->aggregate : nullptr;
}

} // namespace tegula::eval
