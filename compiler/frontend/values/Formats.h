// Python's formats of values: what stands behind the colon in `{x:08.3f}`, and the older ones, `%08.3f`.
#pragma once

#include "compiler/frontend/values/Value.h"

#include <optional>
#include <string>
#include <string_view>

namespace tegula::eval {

/// A compile-time value in the format `spec`; nothing where it has no such format.
std::optional<std::string> formatText(const Value &value, std::string_view spec);

/// `text % items`; nothing, and in `wrong` a message, where a format is wrong or its value, or their numbers
/// differ.
std::optional<std::string> formatPercent(std::string_view text, llvm::ArrayRef<Value> items,
                                         std::string &wrong);

} // namespace tegula::eval
