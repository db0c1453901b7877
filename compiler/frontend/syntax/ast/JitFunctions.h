// The jit functions of a file, wherever they stand.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"

#include <string>
#include <vector>

namespace tegula::ast {

struct JitFunction {
  const FunctionStmt *function;
  std::string name; ///< "kernel"; of one in a class or a function "Class.kernel", "make.kernel"
  /// The functions around it, from the outside in: what they bind is in its reach.
  std::vector<const FunctionStmt *> around;
  bool isNested = false;      ///< in a class or a function
  bool isInClass = false;     ///< the innermost of them is a class
  bool isConditional = false; ///< under `if`, `try` or `match`
};

/// The last function `name` at the top of the text, jit or not, or null.
const FunctionStmt *functionAtTop(const Module &module, std::string_view name);

/// All of them in the order of the text. Of several of one name in one block the last, as in Python, and
/// none where a plain function follows; those of one name in different blocks depend on a condition.
std::vector<JitFunction> jitFunctions(const Module &module);

} // namespace tegula::ast
