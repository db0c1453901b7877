// Evaluates variables of the environment, which a file asks Python for: their values are those given, else
// those that the loader of the program's files knows.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

/// Returns true if `path` reads variables: "os.environ", "os.environ.get", "os.getenv".
bool leadsToEnvironment(std::string_view path);

/// Evaluates `callee(arguments)` where that asks for a variable that is known: returns its text, or the
/// call's result for one that is not set.
std::optional<Value> environmentValue(Evaluation &evaluator, const Value &callee, const Arguments &arguments,
                                      SourceRange range);

/// The same of `os.environ[name]`, where one that is not set is an error.
std::optional<Value> environmentItem(Evaluation &evaluator, const Value &object, const Value &name,
                                     SourceRange range);

/// Evaluates `name in os.environ`, where `object` is that and the variable is known.
std::optional<bool> environmentHas(Evaluation &evaluator, const Value &object, const Value &name);

} // namespace tegula::eval
