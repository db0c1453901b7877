// Values that are known when compiling, as JSON.
#pragma once

#include "compiler/spec/BoundValue.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <string_view>

namespace tegula {

/// Returns `text` as JSON, which takes UTF-8 alone: what is none is replaced.
llvm::json::Value jsonText(std::string_view text);

/// None, a bool, an integer and a string are what JSON has; every other value is an object, whose first
/// member says what it is:
///
///     {"constexpr": VALUE}            bound as `tl.constexpr`
///     {"u64": "18446744073709551615"} {"f64": "3ff0000000000000"}   by digits, and by bits
///     {"type": "*fp32"}  {"list": [..]}  {"dict": [[NAME, VALUE], ..]}
///     {"tuple": [..]}                 with "fields" and "name" where it is a named one
///     {"function": NAME, "source": N}  {"language": "triton.language.math"}  {"host": NAME}
///     {"object": WHAT, "attributes": [[NAME, VALUE], ..]}
///     {"descriptor": [64, 32], "nan": false}  {"passed": true}  {"unknown": WHAT}
///
/// A function of the host is its name alone; what is read of it refuses to be called.
llvm::json::Value toJson(const BoundValue &value);

/// The inverse of `toJson`; nothing where `json` is no such value, or nests deeper than 64.
std::optional<BoundValue> boundValueFromJson(const llvm::json::Value &json);

} // namespace tegula
