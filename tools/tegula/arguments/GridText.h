// `--grid`: how many programs a launch has, in numbers or computed from its arguments.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/jit/launch/Jit.h"
#include "tools/tegula/arguments/Arguments.h"
#include "tools/tegula/arguments/KernelChoice.h"

#include <map>
#include <string>

namespace tegula::cli {

/// Values by the names that they have in a kernel.
using Names = std::map<std::string, BoundValue>;

/// Returns the names that an expression may use: the numbers among `arguments`, the compile-time values of
/// `options`, `num_warps` and `num_stages`. Errors: InvalidArgument for a value that `kernel` cannot take.
runtime::Result<Names> namesOf(const KernelInfo &kernel, const jit::JitKernel::Options &options,
                               const std::map<std::string, ParsedArgument> &arguments);

/// Returns true if `text` is more than numbers with commas: `cdiv(n, BLOCK_SIZE)`.
bool isExpression(const std::string &text);

/// The grid that `text` says: "X", "X,Y" or "X,Y,Z", each a whole number or, in Python, an expression of
/// `names`. Errors: InvalidArgument; of an expression the diagnostics.
runtime::Result<runtime::Grid> gridOf(const std::string &text, const Names &names);
/// The same for a launch of `choice` with `arguments`, whose names are asked for where `text` has any.
runtime::Result<runtime::Grid> gridOf(const std::string &text, const KernelChoice &choice,
                                      const std::map<std::string, ParsedArgument> &arguments);

} // namespace tegula::cli
