// Bars, as a picture in SVG.
#pragma once

#include "tools/tegula/bench/Row.h"

#include <string>
#include <vector>

namespace tegula::cli::bench {

/// A bar from 0 to `value`, with a line from `low` to `high` over its end where they differ.
struct Bar {
  std::string series; ///< decides the colour
  double value = 0, low = 0, high = 0;
};

/// Bars that belong together, under one label.
struct BarGroup {
  std::string label;
  std::vector<Bar> bars;
};

/// Groups with one scale.
struct BarPanel {
  std::string title; ///< with the unit
  std::vector<BarGroup> groups;
};

/// A panel below the other; the legend names each series once. The picture needs nothing from outside.
std::string svgOf(const std::string &title, const std::vector<BarPanel> &panels);

/// Rates of all sides, a panel for each unit; on the emulator instructions and sectors.
std::vector<BarPanel> panelsOf(const Results &results);

} // namespace tegula::cli::bench
