// What is known of the packages around a kernel without running them: what PyTorch says of the device is so
// for the target of the compilation, and texts of versions compare as their package has it.
#pragma once

#include "compiler/frontend/eval/Evaluator.h"

namespace tegula::eval {

/// The value of `path`, "torch.version.hip", or of a call without arguments, "torch.cuda.is_available()".
std::optional<Value> hostFact(Evaluator &evaluator, std::string_view path);

/// Whether something within the module or object `path` is known, or what calling it gives.
bool hasHostFacts(std::string_view path);

/// What calling `callee` with arguments gives: `torch.cuda.get_device_capability(0)`, `version.parse("3.0")`.
std::optional<Value> hostFactOfCall(Evaluator &evaluator, const Value &callee, const Arguments &arguments,
                                    SourceRange range);

/// What `left` and `right` compare as where one of them is `torch.__version__`, which is above "2.9"
/// as 2.11.0: versions; nothing where neither is, or the other is no version.
std::optional<std::pair<Value, Value>> asVersions(Evaluator &evaluator, const Value &left, const Value &right,
                                                  SourceRange range);

/// Whether `value` is a type of PyTorch's, which has no value here but is none of the language's types.
bool isHostType(const Value &value);

} // namespace tegula::eval
