// The region of an op that computes with scalars, where a function computed with tensors on the way.
#pragma once

#include "compiler/frontend/eval/calls/Call.h"

namespace tegula::eval {

/// Makes scalars of all tensors of one element in `body`, and erases what nothing uses. What cannot be made
/// so stays.
void makeScalar(mlir::Block &body);

/// False, after a report at argument `parameter`, where something in `body`, which is made of `function`, has
/// an effect or makes a tensor. `verb` is what such a function does and no more: "combines two scalars".
bool checkScalarCode(Call &call, size_t parameter, std::string_view verb, const Function &function,
                     mlir::Block &body);

/// Reports at argument `parameter` what `function` should have returned, and what it has.
std::nullopt_t refuseResult(Call &call, size_t parameter, const Function &function,
                            const std::string &expected, const std::string &found);

} // namespace tegula::eval
