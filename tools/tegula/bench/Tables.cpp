// Rates, ratios and counts as tables.
#include "tools/tegula/bench/Tables.h"

#include "tools/tegula/bench/TextTable.h"
#include "tools/tegula/output/Json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tegula::cli::bench {

using runtime::Counters;

static constexpr Unit units[] = {Unit::GigabytesPerSecond, Unit::Teraflops};

/// The shape as people write it: with the sign for times.
static std::string prettyShape(const Shape &shape) { return fmt::format("{}", fmt::join(shape, "×")); }

static std::vector<std::string> casesOf(const Case &subject) {
  return {subject.name, subject.dtype, prettyShape(subject.shape)};
}

/// Three digits or more: 4120, 88.1, 0.312.
static std::string rateText(double rate) {
  return fmt::format("{:.{}f}", rate, rate >= 100 ? 0 : rate >= 10 ? 1 : 3);
}

/// A row for each case, a column for the rate of each side and one for its ratio to ours.
static TextTable comparison(const Results &results, Unit unit) {
  const std::vector<std::string> sides = results.sidesOf(unit);
  TextTable table{{"kernel", "type", "shape"}, {}, 3};
  for (const std::string &side : sides)
    table.heads.push_back(fmt::format("{} {}", side, unitName(unit)));
  for (size_t i = 1; i < sides.size(); ++i)
    table.heads.push_back("to " + sides[i]);
  for (const Row *row : results.rowsOf(unit)) {
    std::vector<std::string> cells = casesOf(row->subject);
    for (const std::string &name : sides) {
      const Side *side = row->side(name);
      cells.push_back(side ? rateText(row->subject.rate(side->median)) : "-");
    }
    for (size_t i = 1; i < sides.size(); ++i) {
      const Side *side = row->side(sides[i]);
      cells.push_back(side && side->ratio ? fmt::format("{:.3f}", *side->ratio) : "-");
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Our side alone: the rate with its quantiles, and what the kernel takes.
static TextTable alone(const Results &results, Unit unit) {
  TextTable table{{"kernel", "type", "shape", unitName(unit), "at 0.2", "at 0.8", "ms", "registers",
                   "spilled", "shared", "config"},
                  {},
                  3};
  for (const Row *row : results.rowsOf(unit)) {
    std::vector<std::string> cells = casesOf(row->subject);
    const Side &side = row->sides.front();
    // The quantiles are those of the time: the greater time is the lower rate.
    for (const double time : {side.median, side.low, side.high})
      cells.push_back(rateText(row->subject.rate(time)));
    cells.push_back(fmt::format("{:.4f}", side.median));
    for (const uint32_t number : {row->registers, row->spillBytes, row->sharedBytes})
      cells.push_back(fmt::format("{}", number));
    cells.push_back(side.config + (row->isChosenEarlier ? " (chosen earlier)" : ""));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

static TextTable counted(const Results &results) {
  TextTable table{{"kernel", "type", "shape", "instructions", "load sectors", "least", "store sectors",
                   "least", "bank conflicts"},
                  {},
                  3};
  for (const Row &row : results.rows) {
    const Counters &counts = *row.counts;
    std::vector<std::string> cells = casesOf(row.subject);
    for (const uint64_t number : {counts.warpInstructions, counts.loadSectors, counts.loadSectorsIdeal,
                                  counts.storeSectors, counts.storeSectorsIdeal, counts.bankConflicts})
      cells.push_back(fmt::format("{}", number));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

static TextTable tableOf(const Results &results, Unit unit) {
  return results.sidesOf(unit).size() > 1 ? comparison(results, unit) : alone(results, unit);
}

static double geometricMean(const std::vector<double> &values) {
  double sum = 0;
  for (const double value : values)
    sum += std::log(value);
  return std::exp(sum / double(values.size()));
}

/// "matmul to cuBLAS: geometric mean 0.594, least 0.541 of 7", a line for each kernel and peer.
static std::string means(const Results &results) {
  std::vector<std::string> names;
  for (const Row &row : results.rows)
    if (std::find(names.begin(), names.end(), row.subject.name) == names.end())
      names.push_back(row.subject.name);
  std::string text;
  for (const std::string &name : names) {
    std::vector<std::pair<std::string, std::vector<double>>> ratios;
    for (const Row &row : results.rows)
      for (const Side &side : row.sides)
        if (row.subject.name == name && side.ratio) {
          auto place =
              std::find_if(ratios.begin(), ratios.end(), [&](auto &each) { return each.first == side.name; });
          if (place == ratios.end())
            place = ratios.insert(ratios.end(), {side.name, {}});
          place->second.push_back(*side.ratio);
        }
    for (const auto &[side, values] : ratios)
      text +=
          fmt::format("{} to {}: geometric mean {:.3f}, least {:.3f} of {}\n", name, side,
                      geometricMean(values), *std::min_element(values.begin(), values.end()), values.size());
  }
  return text;
}

static std::string headOf(const std::string &device, const std::vector<std::string> &versions) {
  std::string text = device;
  for (const std::string &version : versions)
    text += ", " + version;
  return text;
}

/// What is said below the tables.
static std::string remainder(const Results &results) {
  std::string text = means(results);
  if (!results.failed.empty())
    text += fmt::format("not measured: {}\n", fmt::join(results.failed, ", "));
  if (!results.left.empty())
    text += fmt::format("left out for time: {}\n", fmt::join(results.left, ", "));
  return text;
}

static constexpr const char *countsAreNoTimes =
    "counts of one launch: instructions of warps, sectors of 32 bytes beside the least possible; no times";

std::string textOf(const Results &results) {
  std::string text = headOf(results.device, results.versions);
  if (results.isCounted())
    return fmt::format("{}: {}\n{}", text, countsAreNoTimes, counted(results).plain() + remainder(results));
  text += '\n';
  for (const Unit unit : units)
    if (!results.rowsOf(unit).empty())
      text += tableOf(results, unit).plain();
  return text + remainder(results);
}

std::vector<Section> markdownOf(const Results &results) {
  const std::string head = headOf(results.device, results.versions);
  if (results.isCounted())
    return {{"counts", fmt::format("{}: {}.\n\n{}", head, countsAreNoTimes, counted(results).markdown())}};
  std::vector<Section> sections;
  for (const Unit unit : units)
    if (!results.rowsOf(unit).empty())
      sections.push_back({unit == Unit::Teraflops ? "products" : "memory",
                          fmt::format("{}.\n\n{}", head, tableOf(results, unit).markdown())});
  return sections;
}

/// The shortest text that reads back as the number.
static std::string exact(double number) { return fmt::format("{}", number); }

static std::vector<std::string> countNames() {
  return {"warp_instructions",   "thread_instructions", "load_requests",   "load_sectors",
          "load_sectors_least",  "load_bytes",          "store_requests",  "store_sectors",
          "store_sectors_least", "store_bytes",         "shared_requests", "shared_bytes",
          "bank_conflicts"};
}
static std::vector<uint64_t> countsOf(const Counters &c) {
  return {c.warpInstructions, c.threadInstructions, c.loadRequests, c.loadSectors,       c.loadSectorsIdeal,
          c.loadBytes,        c.storeRequests,      c.storeSectors, c.storeSectorsIdeal, c.storeBytes,
          c.sharedRequests,   c.sharedBytes,        c.bankConflicts};
}

std::string csvOf(const Results &results) {
  TextTable table{{"device", "kernel", "type", "shape"}, {}};
  const std::vector<std::string> more =
      results.isCounted()
          ? countNames()
          : std::vector<std::string>{"side",  "unit",      "rate",        "rate_at_0.2",  "rate_at_0.8", "ms",
                                     "ratio", "registers", "spill_bytes", "shared_bytes", "config"};
  table.heads.insert(table.heads.end(), more.begin(), more.end());
  for (const Row &row : results.rows) {
    const Case &subject = row.subject;
    const std::vector<std::string> first{results.device, subject.name, subject.dtype,
                                         shapeText(subject.shape)};
    if (row.counts) {
      table.rows.push_back(first);
      for (const uint64_t count : countsOf(*row.counts))
        table.rows.back().push_back(fmt::format("{}", count));
    }
    for (const Side &side : row.sides) {
      std::vector<std::string> cells = first;
      const bool isOurs = &side == &row.sides.front();
      cells.insert(cells.end(), {side.name, unitName(subject.unit), exact(subject.rate(side.median)),
                                 exact(subject.rate(side.low)), exact(subject.rate(side.high)),
                                 exact(side.median), side.ratio ? exact(*side.ratio) : ""});
      for (const uint32_t number : {row.registers, row.spillBytes, row.sharedBytes})
        cells.push_back(isOurs ? fmt::format("{}", number) : "");
      cells.push_back(side.config);
      table.rows.push_back(std::move(cells));
    }
  }
  return table.csv();
}

static Json listOf(const std::vector<std::string> &texts) {
  Json::Array list;
  for (const std::string &text : texts)
    list.emplace_back(text);
  return list;
}

static Json jsonOf(const Row &row) {
  const Case &subject = row.subject;
  Json::Array shape, sides;
  for (const int64_t side : subject.shape)
    shape.emplace_back(side);
  Json::Object made{{"kernel", subject.name}, {"type", subject.dtype}, {"shape", std::move(shape)}};
  if (row.counts) {
    Json::Object counts;
    const std::vector<std::string> names = countNames();
    const std::vector<uint64_t> numbers = countsOf(*row.counts);
    for (size_t i = 0; i < names.size(); ++i)
      counts.emplace_back(names[i], numbers[i]);
    made.emplace_back("counts", std::move(counts));
    return made;
  }
  for (const Side &side : row.sides) {
    Json::Object each{{"side", side.name},
                      {"rate", subject.rate(side.median)},
                      {"rate_at_0.2", subject.rate(side.low)},
                      {"rate_at_0.8", subject.rate(side.high)},
                      {"ms", side.median}};
    if (side.ratio)
      each.emplace_back("ratio", *side.ratio);
    if (!side.config.empty())
      each.emplace_back("config", side.config);
    sides.emplace_back(std::move(each));
  }
  made.emplace_back("unit", unitName(subject.unit));
  made.emplace_back("sides", std::move(sides));
  made.emplace_back("chosen_earlier", row.isChosenEarlier);
  made.emplace_back("registers", row.registers);
  made.emplace_back("spill_bytes", row.spillBytes);
  made.emplace_back("shared_bytes", row.sharedBytes);
  return made;
}

std::string jsonOf(const Results &results) {
  Json::Array rows;
  for (const Row &row : results.rows)
    rows.push_back(jsonOf(row));
  return Json(Json::Object{{"device", results.device},
                           {"versions", listOf(results.versions)},
                           {"rows", std::move(rows)},
                           {"failed", listOf(results.failed)},
                           {"left_out", listOf(results.left)}})
      .text();
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static TextTable tableOf(const ErrorResults &results) {
  TextTable table{{"kernel", "type", "shapes", "mean error", "PyTorch's", "worst ratio of means", "at",
                   "worst ratio of largest", "at", ""},
                  {},
                  2};
  for (const ErrorRow &row : results.rows)
    table.rows.push_back(
        {row.kernel, row.type, fmt::format("{}", row.shapes), fmt::format("{:.3g}", row.mean),
         fmt::format("{:.3g}", row.pytorchMean), fmt::format("{:.3f}", row.worstMeanRatio), row.worstMeanAt,
         fmt::format("{:.3f}", row.worstLargestRatio), row.worstLargestAt, row.isGood ? "" : "beyond"});
  return table;
}

/// "0 of 12 beyond 1.05 of ..."
static std::string summary(const ErrorResults &results) {
  const auto beyond = std::count_if(results.rows.begin(), results.rows.end(),
                                    [](const ErrorRow &row) { return !row.isGood; });
  std::string text = fmt::format("{} of {} beyond {}\n", beyond, results.rows.size(), results.margins);
  if (!results.failed.empty())
    text += fmt::format("failed: {}\n", fmt::join(results.failed, ", "));
  return text;
}

std::string textOf(const ErrorResults &results) {
  return fmt::format("{}\n{}{}", headOf(results.device, results.versions), tableOf(results).plain(),
                     summary(results));
}

std::vector<Section> markdownOf(const ErrorResults &results) {
  return {{"errors", fmt::format("{}; {}\n{}", headOf(results.device, results.versions), summary(results),
                                 tableOf(results).markdown())}};
}

std::string csvOf(const ErrorResults &results) {
  TextTable table = tableOf(results);
  table.heads = {"kernel",           "type",
                 "shapes",           "mean",
                 "pytorch_mean",     "worst_mean_ratio",
                 "worst_mean_at",    "worst_largest_ratio",
                 "worst_largest_at", "beyond"};
  return table.csv();
}

std::string jsonOf(const ErrorResults &results) {
  Json::Array rows;
  for (const ErrorRow &row : results.rows)
    rows.push_back(Json::Object{{"kernel", row.kernel},
                                {"type", row.type},
                                {"shapes", uint64_t(row.shapes)},
                                {"mean", row.mean},
                                {"pytorch_mean", row.pytorchMean},
                                {"worst_mean_ratio", row.worstMeanRatio},
                                {"worst_mean_at", row.worstMeanAt},
                                {"worst_largest_ratio", row.worstLargestRatio},
                                {"worst_largest_at", row.worstLargestAt},
                                {"good", row.isGood}});
  return Json(Json::Object{{"device", results.device},
                           {"versions", listOf(results.versions)},
                           {"rows", std::move(rows)},
                           {"failed", listOf(results.failed)},
                           {"good", results.isGood()}})
      .text();
}

} // namespace tegula::cli::bench
