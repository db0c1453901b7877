// A table of texts.
#pragma once

#include <string>
#include <vector>

namespace tegula::cli::bench {

/// Rows of as many cells as there are heads.
struct TextTable {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  size_t words = 0; ///< so many columns in front are words, aligned to the left, the others numbers

  /// Columns padded with blanks.
  std::string plain() const;
  std::string markdown() const;
  /// Cells with a comma or a quote in quotes.
  std::string csv() const;
};

} // namespace tegula::cli::bench
