// Calls of functions that have a text: arguments meet parameters, and calls within calls come to an end.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

/// Returns where the name of an argument that was given as `keyword` stands.
inline SourceRange keywordRange(const Argument &argument, std::string_view keyword) {
  return {argument.range.begin, argument.range.begin + uint32_t(keyword.size())};
}

/// Sets the `parameters` of a function of `unit`, which messages call `callee`, in `scope`. False after a
/// report.
bool bindParameters(Evaluation &evaluator, ast::Parameters parameters, const Arguments &arguments,
                    const Unit &unit, const std::string &callee, SourceRange range, Scope &scope);

/// False, after a report, where the function did not parse, or calls would go in circles or nest too deep.
bool enterCall(Evaluation &evaluator, const ast::FunctionStmt &definition, const Unit &unit,
               SourceRange range, const Arguments *arguments = nullptr);

/// "`f`", "tl.sum", "libdevice.hypot": how messages call a function.
std::string qualifiedName(const Unit &unit, const ast::FunctionStmt &function);

} // namespace tegula::eval
