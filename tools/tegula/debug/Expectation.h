// `--expect out=@ref.npy,atol=1e-3,rtol=1e-2`: how an array should be when a launch is done.
#pragma once

#include "compiler/debug/Arrays.h"
#include "dialect/image/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula::cli {

/// Sets how far elements may be off. Without numbers integers have to be exact, and floats may differ by what
/// another order of sums rounds: some units in the last place of their type.
void setTolerance(debug::Expected &expected, std::optional<double> absolute, std::optional<double> relative);

/// Adds what `texts` say to `expected`, and gives every one the address that its array has in `arrays`. A
/// later text about an array takes the place of an earlier one. Errors: Io; InvalidArgument for a text,
/// another type or shape.
runtime::Result<void> bindExpectations(const std::vector<std::string> &texts,
                                       const std::vector<debug::Array> &arrays,
                                       std::vector<debug::Expected> &expected);

} // namespace tegula::cli
