// Compile-time values, between tegula.h and the compiler.
#pragma once

#include "compiler/spec/BoundValue.h"
#include "dialect/image/Result.h"
#include "runtime/api/tegula.h"

namespace tegula {
inline namespace v1 {

/// Returns the value of the parameter `name`. Errors: InvalidArgument for a host function.
runtime::Result<BoundValue> parameterValue(const std::string &name, Constexpr value);

/// Returns what `value` binds `name` to in a source. Errors: InvalidArgument for a descriptor.
runtime::Result<BoundValue> nameValue(const std::string &name, Constexpr value);

} // namespace v1
} // namespace tegula
