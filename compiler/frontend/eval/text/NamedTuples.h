// Classes of named tuples, as kernels make values of them.
#pragma once

#include "compiler/frontend/values/ParsedProgram.h"
#include "compiler/frontend/values/Value.h"

#include <memory>
#include <optional>
#include <vector>

namespace tegula::eval {

/// A class as the source of a function that makes its values, with a parameter for each field. The function
/// hands what it is given to `tl._named_tuple`, which finds the names in the unit that it is called from.
struct TupleClass : Unit {
  std::unique_ptr<ast::Module> text;
  const ast::FunctionStmt *maker = nullptr;
  std::vector<std::string_view> fields;
  TupleNames names;
};

/// Makes the class of `class NAME(NamedTuple)`; null where the class is another one. Defaults are evaluated
/// by themselves: they cannot use names of the file.
std::unique_ptr<TupleClass> namedTupleClass(const ast::ClassStmt &definition, const Unit &unit);

/// Makes the class of `NAME = namedtuple("NAME", fields, defaults=...)` with the names written out, as a
/// list, a tuple or one text; null where `value`, the assigned expression, is anything else.
std::unique_ptr<TupleClass> namedTupleClass(std::string_view name, const ast::Expr *value, const Unit &unit);

/// The class that `unit` is the source of; null for any other unit.
const TupleClass *tupleClass(const Unit &unit);

/// Returns true if `value` was made by `function`, that of a class; nothing where it is any other function.
std::optional<bool> isMadeBy(const Value &value, const Function &function);

} // namespace tegula::eval
