// Variables of the environment, which a file asks Python for: their values are those that somebody gives,
// never those of this process.
#pragma once

#include "compiler/frontend/eval/Evaluator.h"

namespace tegula::eval {

/// Whether `path` is how a file comes by variables: "os.environ", "os.environ.get", "os.getenv".
bool leadsToEnvironment(std::string_view path);

/// What `callee(arguments)` gives where that asks for a variable of which `os.environ.NAME` has been given:
/// its text, or for None what stands for a variable that is not set.
std::optional<Value> environmentValue(Evaluator &evaluator, const Value &callee, const Arguments &arguments,
                                      SourceRange range);

} // namespace tegula::eval
