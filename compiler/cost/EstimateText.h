// An estimate as text: for readers, and for programs that ask for more than its cycles.
#pragma once

#include "compiler/cost/CostModel.h"

#include <optional>
#include <string>

namespace tegula::cost {

/// Returns terms and estimate as JSON; where there are no terms, why: `unknown`.
std::string asJson(const std::optional<KernelTerms> &terms, const Estimate &estimate,
                   const std::string &unknown);

/// Returns the terms of an estimate as a line of text.
std::string text(const Estimate &estimate);

} // namespace tegula::cost
