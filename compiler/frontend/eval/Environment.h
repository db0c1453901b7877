// The variables of the environment, which a file asks Python for: their values are those that somebody gives,
// and else those that whoever finds files says the environment holds.
#pragma once

#include "compiler/frontend/eval/Evaluator.h"

namespace tegula::eval {

/// Whether `path` is how a file comes by variables: "os.environ", "os.environ.get", "os.getenv".
bool leadsToEnvironment(std::string_view path);

/// What `callee(arguments)` gives where that asks for a variable of which somebody knows what it holds: its
/// text, or what the call gives for one that is not set.
std::optional<Value> environmentValue(Evaluator &evaluator, const Value &callee, const Arguments &arguments,
                                      SourceRange range);

/// The same of `os.environ[name]`, where one that is not set is an error.
std::optional<Value> environmentItem(Evaluator &evaluator, const Value &object, const Value &name,
                                     SourceRange range);

/// Whether `name in os.environ`, where `object` is that and somebody knows.
std::optional<bool> environmentHas(Evaluator &evaluator, const Value &object, const Value &name);

} // namespace tegula::eval
