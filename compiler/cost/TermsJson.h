// The terms of a launch, and an estimate, as JSON: for tools that judge and fit the model.
#pragma once

#include "compiler/cost/CostModel.h"

#include "llvm/Support/JSON.h"

#include <optional>

namespace tegula::cost {

llvm::json::Value toJson(const KernelTerms &terms);
llvm::json::Value toJson(const Estimate &estimate);
/// The inverse of the first; nothing where `value` is no such text.
std::optional<KernelTerms> termsFrom(const llvm::json::Value &value);

} // namespace tegula::cost
