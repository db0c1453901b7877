// Stands in for the packages around a kernel without running them: PyTorch answers about the device for the
// target of the compilation, and texts of versions compare as in `packaging`.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

/// The value of `path`, "torch.version.hip", or of a call without arguments, "torch.cuda.is_available()".
std::optional<Value> hostFact(Evaluation &evaluator, std::string_view path);

/// Returns true if something within the module or object `path` is known, or the result of calling it.
bool hasHostFacts(std::string_view path);

/// Evaluates a call of `callee`: `torch.cuda.get_device_capability(0)`, `version.parse("3.0")`.
std::optional<Value> hostFactOfCall(Evaluation &evaluator, const Value &callee, const Arguments &arguments,
                                    SourceRange range);

/// Returns `left` and `right` as versions where one of them is `torch.__version__`, which is above "2.9" as
/// 2.11.0; nothing where neither is, or the other is no version.
std::optional<std::pair<Value, Value>> asVersions(Evaluation &evaluator, const Value &left,
                                                  const Value &right, SourceRange range);

/// Returns true if `value` is a type of PyTorch's, which has no value here but is none of the language's
/// types.
bool isHostType(const Value &value);

} // namespace tegula::eval
