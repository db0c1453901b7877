// Python's formats of values: what stands behind the colon in `{x:08.3f}`.
#pragma once

#include "compiler/frontend/values/Value.h"

#include <optional>
#include <string>
#include <string_view>

namespace tegula::eval {

/// A compile-time value in the format `spec`; nothing where it has no such format.
std::optional<std::string> formatText(const Value &value, std::string_view spec);

} // namespace tegula::eval
