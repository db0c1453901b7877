#include "tools/tegula/Report.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Counters;
using runtime::EmulatorReport;

std::string formatRemarks(const std::vector<Remark> &remarks) {
  std::string text;
  for (const Remark &remark : remarks) {
    if (remark.line)
      text += fmt::format("{}:{}:{}: ", remark.file, remark.line, remark.column);
    text += fmt::format("{}: {}: {}\n", remarkKindName(remark.kind), remark.pass, remark.text);
  }
  return text;
}

/// The text of `line`, counted from 1.
static std::string_view lineOf(std::string_view source, uint32_t line) {
  for (uint32_t i = 1; i < line; ++i) {
    const size_t end = source.find('\n');
    if (end == std::string_view::npos)
      return {};
    source.remove_prefix(end + 1);
  }
  std::string_view text = source.substr(0, source.find('\n'));
  while (text.ends_with('\r'))
    text.remove_suffix(1);
  return text;
}

/// Sectors moved over the least possible: "4096/4096", or "-" where nothing was moved.
static std::string sectors(uint64_t moved, uint64_t ideal) {
  return moved || ideal ? fmt::format("{}/{}", moved, ideal) : "-";
}
static std::string orDash(uint64_t number) { return number ? fmt::format("{}", number) : "-"; }

static std::string row(std::string_view place, const Counters &counters, std::string_view source) {
  std::string text =
      fmt::format("{:>6}  {:>12}  {:>19}  {:>19}  {:>9}  {:>9}", place, counters.warpInstructions,
                  sectors(counters.loadSectors, counters.loadSectorsIdeal),
                  sectors(counters.storeSectors, counters.storeSectorsIdeal), orDash(counters.sharedRequests),
                  orDash(counters.bankConflicts));
  if (!source.empty())
    text += fmt::format("  {}", source);
  return text + '\n';
}

std::string formatCounters(const EmulatorReport &report, std::string_view file, std::string_view source) {
  std::string text = fmt::format("{} blocks; sectors are 32 bytes, moved/least possible\n", report.blocks);
  text += fmt::format("{:>6}  {:>12}  {:>19}  {:>19}  {:>9}  {:>9}  {}\n", "line", "instructions",
                      "load sectors", "store sectors", "shared", "conflicts", "source");
  for (const EmulatorReport::Row &each : report.rows) {
    std::string shown(each.file);
    if (each.file == file && each.line)
      shown = lineOf(source, each.line);
    else if (each.file.empty())
      shown = "(no line)";
    text += row(each.line ? fmt::format("{}", each.line) : "", each.counters, shown);
  }
  text += row("sum", report.total, "");
  const Counters &total = report.total;
  text += fmt::format("loaded {} bytes in {} requests, stored {} bytes in {} requests\n", total.loadBytes,
                      total.loadRequests, total.storeBytes, total.storeRequests);
  return text;
}

} // namespace tegula::cli
