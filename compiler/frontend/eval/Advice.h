// The most likely meaning of Python's, torch's or numpy's word for something that the language names
// otherwise: for the help of messages.
#pragma once

#include "compiler/frontend/eval/FunctionTable.h"

namespace tegula::eval {

/// Returns the language's spelling of the function `name` of `math`, torch or numpy: "`tl.exp(x)`". Empty
/// where it has none.
std::string languageSpelling(const FunctionTable &functions, std::string_view name);

/// Returns its spelling of the method or attribute `name` of torch's tensors: "`x.shape`". Empty where it has
/// none.
std::string tensorSpelling(const FunctionTable &functions, std::string_view name);

/// The import that files begin with which use `name`: "`import triton.language as tl`"; empty for others.
std::string_view importOf(std::string_view name);

} // namespace tegula::eval
