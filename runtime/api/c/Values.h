// The values of tegula_c.h as the compiler's.
#pragma once

#include "compiler/spec/KernelSpec.h"
#include "dialect/image/Result.h"
#include "runtime/api/tegula_c.h"

#include <string>

namespace tegula::c {

/// The compile-time value that `value` is; `name` is what it is given for, in messages. Errors:
/// InvalidArgument for what no parameter of a kernel can be.
runtime::Result<ConstexprValue> constexprOf(const tegula_value &value, const std::string &name);

} // namespace tegula::c
