// Results as text: for a terminal, as Markdown, CSV and JSON.
#pragma once

#include "tools/tegula/bench/Errors.h"
#include "tools/tegula/bench/Row.h"

#include <string>

namespace tegula::cli::bench {

/// A table for each unit with rates and ratios, or counts, and what there is to say of all rows together.
std::string textOf(const Results &results);

/// A part of a Markdown document that `writeSections` can replace.
struct Section {
  std::string name; ///< "memory", "products", "counts", "errors"
  std::string text;
};
std::vector<Section> markdownOf(const Results &results);

/// A line for each side of each row, or each row where things were counted; the first line names the columns.
std::string csvOf(const Results &results);
std::string jsonOf(const Results &results);

/// The same for errors beside PyTorch's.
std::string textOf(const ErrorResults &results);
std::vector<Section> markdownOf(const ErrorResults &results);
std::string csvOf(const ErrorResults &results);
std::string jsonOf(const ErrorResults &results);

/// The best configs of each shape of a sweep, and those that lose least over all shapes of a kernel.
std::string sweepText(const Results &results);

/// `document` with what stands between the lines "<!-- tegula bench NAME -->" and "<!-- end of tegula bench
/// NAME -->" replaced. Errors: InvalidArgument where it has no such lines.
runtime::Result<std::string> withSections(std::string document, const std::vector<Section> &sections);
/// The sections between such lines.
std::string sectionText(const std::vector<Section> &sections);

} // namespace tegula::cli::bench
