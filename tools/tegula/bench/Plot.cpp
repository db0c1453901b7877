#include "tools/tegula/bench/Plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tegula::cli::bench {

namespace {

// Lengths in the picture's own unit, a pixel where it is not scaled.
constexpr double labelWidth = 300, plotWidth = 560, valueWidth = 90, margin = 16;
constexpr double barHeight = 14, groupGap = 8, textHeight = 18, titleHeight = 30, axisHeight = 26;

/// Colours that differ for the colour-blind too (Okabe and Ito, 2008).
constexpr const char *colours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                   "#56b4e9", "#d55e00", "#999999"};

std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

/// The round number of 1, 2 or 5 and zeros that is not below `value`.
double roundUp(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1., 2., 5.})
    if (value <= step * power)
      return step * power;
  return 10 * power;
}

std::string numberText(double value) {
  return value >= 100 || value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                    : fmt::format("{:.3g}", value);
}

class Picture {
public:
  Picture(const std::vector<BarPanel> &panels) {
    for (const BarPanel &panel : panels)
      for (const BarGroup &group : panel.groups)
        for (const Bar &bar : group.bars)
          if (std::find(series.begin(), series.end(), bar.series) == series.end())
            series.push_back(bar.series);
  }

  void title(const std::string &text) {
    y += margin + textHeight;
    write(margin, y, text, "font-size=\"15\" font-weight=\"bold\"");
    y += 8;
  }

  void legend() {
    if (series.size() < 2)
      return;
    double x = labelWidth;
    for (const std::string &name : series) {
      body += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", x, y,
                          colourOf(name));
      write(x + 17, y + 11, name);
      x += 34 + 8 * double(name.size());
    }
    y += textHeight;
  }

  void draw(const BarPanel &panel) {
    y += titleHeight;
    write(margin, y - 8, panel.title, "font-weight=\"bold\"");
    double most = 0;
    for (const BarGroup &group : panel.groups)
      for (const Bar &bar : group.bars)
        most = std::max({most, bar.value, bar.high});
    const double step = most > 0 ? roundUp(most / 5) : 1, scale = plotWidth / std::max(most, step);
    const double top = y;
    std::string bars;
    std::swap(bars, body);
    for (const BarGroup &group : panel.groups)
      draw(group, scale);
    std::swap(bars, body);
    for (int line = 0; line * step <= std::max(most, step) * 1.0001; ++line) {
      const double x = labelWidth + line * step * scale;
      body += fmt::format(
          "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>\n", x, top, y);
      write(x, y + 14, numberText(line * step), "text-anchor=\"middle\" fill=\"#555\"");
    }
    body += bars; // above the lines
    y += axisHeight;
  }

  std::string svg() const {
    const double width = labelWidth + plotWidth + valueWidth;
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                       "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
                       "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
                       width, y + margin, body);
  }

private:
  const char *colourOf(const std::string &name) const {
    const size_t place = size_t(std::find(series.begin(), series.end(), name) - series.begin());
    return colours[place % std::size(colours)];
  }

  void write(double x, double baseline, const std::string &text, const char *style = "") {
    body += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, baseline, style, escaped(text));
  }

  void draw(const BarGroup &group, double scale) {
    const double middle = y + barHeight * double(group.bars.size()) / 2;
    write(labelWidth - 8, middle + 4, group.label, "text-anchor=\"end\"");
    for (const Bar &bar : group.bars) {
      const double length = bar.value * scale;
      body +=
          fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                      labelWidth, y + 1, length, barHeight - 2, colourOf(bar.series));
      if (bar.low < bar.high)
        body +=
            fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"black\"/>\n",
                        labelWidth + bar.low * scale, y + barHeight / 2, labelWidth + bar.high * scale,
                        y + barHeight / 2);
      write(labelWidth + std::max(length, bar.high * scale) + 5, y + barHeight - 3, numberText(bar.value),
            "font-size=\"10\"");
      y += barHeight;
    }
    y += groupGap;
  }

  std::vector<std::string> series;
  std::string body;
  double y = 0;
};

} // namespace

std::string svgOf(const std::string &title, const std::vector<BarPanel> &panels) {
  Picture picture(panels);
  picture.title(title);
  picture.legend();
  for (const BarPanel &panel : panels)
    picture.draw(panel);
  return picture.svg();
}

std::vector<BarPanel> panelsOf(const Results &results) {
  std::vector<BarPanel> panels;
  if (results.isCounted()) {
    BarPanel instructions{"instructions of warps", {}}, sectors{"sectors of 32 bytes, loaded and stored", {}};
    for (const Row &row : results.rows) {
      const runtime::Counters &counts = *row.counts;
      auto bar = [](const char *series, uint64_t count) { return Bar{series, double(count), 0, 0}; };
      instructions.groups.push_back({row.subject.label(), {bar("Tegula", counts.warpInstructions)}});
      sectors.groups.push_back({row.subject.label(),
                                {bar("Tegula", counts.loadSectors + counts.storeSectors),
                                 bar("least possible", counts.loadSectorsIdeal + counts.storeSectorsIdeal)}});
    }
    return {instructions, sectors};
  }
  for (const Unit unit : {Unit::GigabytesPerSecond, Unit::Teraflops}) {
    BarPanel panel{unitName(unit), {}};
    for (const Row *row : results.rowsOf(unit)) {
      BarGroup group{row->subject.label(), {}};
      // A long time is a low rate.
      for (const Side &side : row->sides)
        group.bars.push_back({side.name, row->subject.rate(side.median), row->subject.rate(side.high),
                              row->subject.rate(side.low)});
      panel.groups.push_back(std::move(group));
    }
    if (!panel.groups.empty())
      panels.push_back(std::move(panel));
  }
  return panels;
}

} // namespace tegula::cli::bench
