// The most likely meaning of Python's, torch's or numpy's word for something that the language names
// otherwise: for the help of messages.
#pragma once

#include "compiler/frontend/eval/FunctionTable.h"

namespace tegula::eval {

/// The language's word for something.
struct Spelling {
  std::string text;    ///< for a message: "`tl.exp`"; empty where it has none
  std::string inPlace; ///< what takes the place of their word; empty where more has to change
  bool empty() const { return text.empty(); }
};

/// Returns the language's spelling of the function or type `name` of `math`, torch or numpy, which takes the
/// place of the name and of the module before it.
Spelling languageSpelling(const FunctionTable &functions, std::string_view name);

/// Returns its spelling of the method or attribute `name` of torch's tensors, which takes the place of the
/// name and of the empty parentheses behind it.
Spelling tensorSpelling(const FunctionTable &functions, std::string_view name);

/// The import that files begin with which use `name`: "import triton.language as tl"; empty for others.
std::string_view importOf(std::string_view name);

} // namespace tegula::eval
