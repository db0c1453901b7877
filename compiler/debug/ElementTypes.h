// The types of the language in expressions of a debugger: what a kernel computes in 16 bits or with int32,
// they do, too.
#pragma once

#include "compiler/debug/Values.h"

#include <optional>
#include <string>

namespace tegula::debug {

/// Returns the type of the elements of a value of the program; nothing for a number that a person wrote, for
/// what a register holds, and for what was computed of such alone.
std::optional<ScalarKind> scalarOf(const Value &value);

/// Converts each element to `kind`, as the language does: integers wrap, floats are rounded.
Value convertedTo(const Value &value, ScalarKind kind);

/// The type in which a kernel computes with two values; `divides` for `/`, `//` and `%`. Nothing where
/// neither has a type, and, with `error` set, where they do not go together.
std::optional<ScalarKind> commonType(const Value &a, const Value &b, bool divides, std::string &error);

} // namespace tegula::debug
