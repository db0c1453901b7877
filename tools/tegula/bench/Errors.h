// Errors of products beside PyTorch's, as the helper in Python finds them.
#pragma once

#include <string>
#include <vector>

namespace tegula::cli::bench {

/// The shapes of a kernel and type taken together. An error is in units of its row's typical magnitude.
struct ErrorRow {
  std::string kernel, type;
  size_t shapes = 0;
  double mean = 0, pytorchMean = 0; ///< over all shapes
  double worstMeanRatio = 0,
         worstLargestRatio = 0;            ///< of a shape's means, and of its largest errors, to PyTorch's
  std::string worstMeanAt, worstLargestAt; ///< the shapes
  bool isGood = false;                     ///< within the margins
};

struct ErrorResults {
  std::string device;
  std::vector<std::string> versions;
  std::vector<ErrorRow> rows;
  std::vector<std::string> failed;
  std::string margins; ///< what `isGood` means

  bool isGood() const {
    for (const ErrorRow &row : rows)
      if (!row.isGood)
        return false;
    return failed.empty() && !rows.empty();
  }
};

} // namespace tegula::cli::bench
