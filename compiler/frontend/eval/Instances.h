// Evaluates `isinstance`.
#pragma once

#include "compiler/frontend/eval/Aggregates.h"

namespace tegula::eval {

/// Returns true if `value` is an instance of the class that `type` names; nothing where it names none.
std::optional<bool> isInstance(const Value &value, const Value &type);
/// The same of an aggregate, or of one that derives from it.
bool isInstance(const Value &value, const AggregateClass &type);

} // namespace tegula::eval
