#include "compiler/cost/EstimateText.h"

#include "compiler/cost/TermsJson.h"

#include "llvm/Support/FormatVariadic.h"

namespace tegula::cost {

std::string text(const Estimate &estimate) {
  if (!estimate.fits())
    return llvm::formatv("does not fit: {0} bytes of shared memory", estimate.sharedBytes);
  return llvm::formatv(
      "{0:f0} cycles: units {1:f0}, L2 {2:f0}, DRAM {3:f0}, issue {4:f0}; {5} programs a multiprocessor, "
      "{6:f2} waves, {7} stages, {8} bytes shared, {9} registers, split by {10}",
      estimate.cycles, estimate.unitCycles, estimate.cacheCycles, estimate.memoryCycles, estimate.issueCycles,
      estimate.resident, estimate.waves, estimate.stages, estimate.sharedBytes, estimate.registers,
      estimate.split);
}

std::string asJson(const std::optional<KernelTerms> &terms, const Estimate &estimate,
                   const std::string &unknown) {
  llvm::json::Object told;
  if (terms) {
    told["terms"] = toJson(*terms);
    told["estimate"] = toJson(estimate);
    told["text"] = text(estimate);
  } else {
    told["unknown"] = unknown;
  }
  std::string written;
  llvm::raw_string_ostream(written) << llvm::json::Value(std::move(told));
  return written;
}

} // namespace tegula::cost
