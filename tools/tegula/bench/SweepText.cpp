// What a sweep over configs found.
#include "tools/tegula/bench/Tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tegula::cli::bench {

/// So many of the best are shown.
static constexpr size_t shownConfigs = 6;

/// A config without its grid, which is another one for each shape.
static std::string nameOf(const jit::TuneConfig &config) {
  const std::string text = configText(config);
  return text.substr(0, text.find(", grid"));
}

static std::string bestOf(const Row &row) {
  std::vector<const jit::Trial *> measured;
  size_t skipped = 0;
  for (const jit::Trial &trial : row.trials)
    trial.times ? measured.push_back(&trial) : void(++skipped);
  std::sort(measured.begin(), measured.end(),
            [](const jit::Trial *a, const jit::Trial *b) { return a->times->median < b->times->median; });
  std::string text =
      fmt::format("{}: {} configs, {} skipped\n", row.subject.label(), row.trials.size(), skipped);
  for (size_t i = 0; i < std::min(shownConfigs, measured.size()); ++i) {
    const jit::Trial &trial = *measured[i];
    text += fmt::format("  {:.1f} {}, {} registers, {} bytes spilled, {} shared: {}\n",
                        row.subject.rate(trial.times->median), unitName(row.subject.unit), trial.registers,
                        trial.spillBytes, trial.sharedBytes, nameOf(row.subject.configs[trial.config]));
  }
  return text;
}

/// The configs that every shape of `rows` has, by the geometric mean of their part of each shape's best.
static std::string overall(const std::string &name, const std::vector<const Row *> &rows) {
  std::map<std::string, std::pair<double, size_t>> shares; // sum of logarithms, shapes
  for (const Row *row : rows) {
    const jit::Trial *best = jit::fastest(row->trials);
    for (const jit::Trial &trial : row->trials)
      if (trial.times) {
        auto &[sum, count] = shares[nameOf(row->subject.configs[trial.config])];
        sum += std::log(best->times->median / trial.times->median);
        ++count;
      }
  }
  std::vector<std::pair<double, std::string>> common;
  for (const auto &[config, share] : shares)
    if (share.second == rows.size())
      common.emplace_back(std::exp(share.first / double(rows.size())), config);
  std::sort(common.rbegin(), common.rend());
  std::string text = fmt::format("{}, over {} shapes:\n", name, rows.size());
  for (size_t i = 0; i < std::min(shownConfigs, common.size()); ++i)
    text += fmt::format("  {:.3f} of each shape's best: {}\n", common[i].first, common[i].second);
  return text;
}

std::string sweepText(const Results &results) {
  std::string text;
  std::vector<std::pair<std::string, std::vector<const Row *>>> kernels;
  for (const Row &row : results.rows) {
    text += bestOf(row);
    if (kernels.empty() || kernels.back().first != row.subject.name)
      kernels.push_back({row.subject.name, {}});
    kernels.back().second.push_back(&row);
  }
  for (const auto &[name, rows] : kernels)
    if (rows.size() > 1)
      text += overall(name, rows);
  return text;
}

} // namespace tegula::cli::bench
