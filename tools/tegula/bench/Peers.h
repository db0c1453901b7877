// Peers of Tegula, measured by a helper in Python (tools/bench), which has PyTorch and Triton.
//
// The helper gets a plan, a file of JSON, and says what it finds in lines of words with tabs between them.
#pragma once

#include "tools/tegula/bench/Errors.h"
#include "tools/tegula/bench/Row.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula::cli::bench {

/// Those that `--beside` may name: "triton", "cublas", "cudnn", "torch", "copy".
const std::vector<std::string> &knownPeers();

struct PeerOptions {
  std::string python = "python3"; ///< a program, found on PATH
  std::vector<std::string> peers; ///< of `knownPeers`
  uint32_t rounds = 5;            ///< in which all sides take turns
  std::optional<uint32_t> budget; ///< seconds after which no new case begins
  int32_t ordinal = 0;            ///< of the GPU, as the driver counts
  std::string kernels;            ///< the folder of their sources
};

/// Our side and the peers taking turns, for each case that there is time for. Nothing where Python has no
/// PyTorch, after a warning. Errors: Unavailable where Python or the helper is missing, or the helper fails.
runtime::Result<std::optional<Results>> measureBeside(const std::vector<Case> &cases,
                                                      const PeerOptions &options);

/// Errors of `kernels`, names of the catalogue, beside PyTorch's. The shapes are the helper's own: none that
/// a block divides. Errors: as above, and Unavailable without PyTorch.
runtime::Result<ErrorResults> measureErrors(const std::vector<std::string> &kernels,
                                            const std::vector<std::string> &dtypes,
                                            const PeerOptions &options);

} // namespace tegula::cli::bench
