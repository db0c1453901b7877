#include "tools/tegula/output/Report.h"

#include "compiler/frontend/syntax/text/Source.h"
#include "runtime/host/Files.h"
#include "tools/insight/CounterColumns.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Counters;
using runtime::EmulatorReport;

/// Adds lines with the causes of a missed optimisation, and what to change.
static void addAdvice(std::string &text, const Remark &remark) {
  for (const RemarkCause &cause : remark.causes) {
    if (cause.place == remark) // the reason itself
      continue;
    text += "    because ";
    if (cause.place.line)
      text += fmt::format("{}:{}:{}: ", cause.place.file, cause.place.line, cause.place.column);
    text += cause.text + '\n';
  }
  if (!remark.fix.empty())
    text += fmt::format("    change: {}\n", remark.fix);
  else if (remark.isNothingToDo)
    text += "    nothing to do\n";
}

std::string formatRemarks(const std::vector<Remark> &remarks) {
  std::string text;
  for (const Remark &remark : remarks) {
    if (remark.line)
      text += fmt::format("{}:{}:{}: ", remark.file, remark.line, remark.column);
    text += fmt::format("{}: {}: {}\n", remarkKindName(remark.kind), remark.pass, remark.text);
    addAdvice(text, remark);
  }
  return text;
}

/// The place of a diagnostic or a remark, where it has one.
template <typename T> static void addPlace(Json::Object &members, const T &placed) {
  if (!placed.file.empty())
    members.emplace_back("file", placed.file);
  if (!placed.line)
    return;
  members.emplace_back("line", placed.line);
  members.emplace_back("column", placed.column);
}

/// The same, and where the place ends.
static void addRange(Json::Object &members, const RemarkPlace &place) {
  addPlace(members, place);
  if (!place.endLine)
    return;
  members.emplace_back("endLine", place.endLine);
  members.emplace_back("endColumn", place.endColumn);
}

static Json fixJson(const Fix &fix) {
  Json::Array edits;
  for (const TextEdit &edit : fix.edits)
    edits.push_back(Json::Object{{"line", edit.begin.line},
                                 {"column", edit.begin.column},
                                 {"endLine", edit.end.line},
                                 {"endColumn", edit.end.column},
                                 {"text", edit.text}});
  return Json::Object{{"title", fix.title},
                      {"file", fix.file},
                      {"certain", fix.certainty == Certainty::Certain},
                      {"edits", std::move(edits)}};
}

static void addUnlessEmpty(Json::Object &members, const char *name, Json::Array elements) {
  if (!elements.empty())
    members.emplace_back(name, std::move(elements));
}

Json diagnosticJson(const Diagnostic &diagnostic) {
  Json::Object members{{"severity", severityName(diagnostic.severity)}, {"message", diagnostic.message}};
  addPlace(members, diagnostic);
  if (diagnostic.line)
    members.emplace_back("endColumn", diagnostic.endColumn);
  if (diagnostic.help)
    members.emplace_back("help", *diagnostic.help);
  addUnlessEmpty(members, "fixes", jsonArray(diagnostic.fixes, fixJson));
  addUnlessEmpty(members, "guessed", Json::Array(diagnostic.guessed.begin(), diagnostic.guessed.end()));
  addUnlessEmpty(members, "notes", jsonArray(diagnostic.notes, diagnosticJson));
  return members;
}

static Json causeJson(const RemarkCause &cause) {
  Json::Object members{{"text", cause.text}};
  addRange(members, cause.place);
  return members;
}

static Json remarkJson(const Remark &remark) {
  Json::Object members{{"kind", remarkKindName(remark.kind)}, {"pass", remark.pass}, {"name", remark.name}};
  if (!remark.message.empty())
    members.emplace_back("message", remark.message);
  Json::Object arguments;
  for (const auto &[key, value] : remark.arguments)
    arguments.emplace_back(key, value);
  members.emplace_back("arguments", std::move(arguments));
  members.emplace_back("text", remark.text);
  addRange(members, remark);
  addUnlessEmpty(members, "cause", jsonArray(remark.causes, causeJson));
  if (!remark.fix.empty())
    members.emplace_back("fix", Json::Object{{"text", remark.fix}});
  if (remark.isNothingToDo)
    members.emplace_back("nothingToDo", true);
  return members;
}

static Json assemblyReport(const runtime::MachineCode &code) {
  Json::Array entries;
  for (const runtime::EntryResources &entry : code.entries)
    entries.push_back(Json::Object{{"entry", entry.entry},
                                   {"registers", entry.registers},
                                   {"stackBytes", entry.stackBytes},
                                   {"spillStoreBytes", entry.spillStoreBytes},
                                   {"spillLoadBytes", entry.spillLoadBytes}});
  return Json::Object{{"assembler", code.assembler},
                      {"bytes", uint64_t(code.bytes.size())},
                      {"entries", entries},
                      {"warnings", code.warnings}};
}

std::string formatAssembly(const runtime::MachineCode &code) {
  std::string text;
  for (const runtime::EntryResources &entry : code.entries)
    text +=
        fmt::format("{}: {} registers and {} bytes of stack a thread, {} bytes spilled, by {}\n", entry.entry,
                    entry.registers, entry.stackBytes, entry.spillStoreBytes, code.assembler);
  for (const std::string &warning : code.warnings)
    text += warning + "\n";
  return text;
}

Json compileReport(const KernelSpec *spec, const CompileResult &result, const runtime::MachineCode *code) {
  Json::Object members;
  if (spec)
    members = {{"kernel", spec->kernel},
               {"target", spec->target},
               {"numWarps", spec->warps()},
               {"numStages", spec->stages()}};
  members.emplace_back("diagnostics", jsonArray(result.diagnostics, diagnosticJson));
  members.emplace_back("remarks", jsonArray(result.remarks, remarkJson));
  if (code)
    members.emplace_back("assembly", assemblyReport(*code));
  return members;
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
  const SourceFile lines{std::string(file), std::string(source)};
  for (const EmulatorReport::Row &each : report.rows) {
    std::string shown(each.file);
    if (each.file == file && each.line)
      shown = lines.lineText(each.line);
    else if (each.file.empty())
      shown = "(no line)";
    text += row(each.line ? fmt::format("{}", each.line) : "", each.counters, shown);
  }
  text += row("sum", report.total, "");
  const Counters &total = report.total;
  text += fmt::format("loaded {} bytes in {} requests, stored {} bytes in {} requests\n", total.loadBytes,
                      total.loadRequests, total.storeBytes, total.storeRequests);
  if (report.isInOrder)
    text += "run in the natural order of blocks alone: --device=emulator:5 tries five others, and looks for "
            "loads of "
            "what other programs store\n";
  return text;
}

static void addCounters(Json::Object &members, const Counters &counters) {
  for (const auto &[name, member] : explain::counterColumns)
    members.emplace_back(name, counters.*member);
}

Json countersReport(const EmulatorReport &report) {
  Json::Array lines;
  for (const EmulatorReport::Row &row : report.rows) {
    Json::Object members;
    if (!row.file.empty())
      members.emplace_back("file", row.file);
    if (row.line)
      members.emplace_back("line", row.line);
    addCounters(members, row.counters);
    lines.push_back(std::move(members));
  }
  Json::Object total;
  addCounters(total, report.total);
  return Json::Object{{"device", "emulator"},
                      {"launches", report.launches},
                      {"blocks", report.blocks},
                      {"total", std::move(total)},
                      {"lines", std::move(lines)}};
}

std::string formatResources(const std::string &device, const runtime::LoadedKernel &kernel) {
  return fmt::format("{}: {} registers a thread, {} bytes spilled, {} bytes of shared memory a block\n",
                     device, kernel.registers(), kernel.spillBytes(), kernel.image().sharedBytes);
}

Json resourcesReport(const std::string &device, const runtime::LoadedKernel &kernel) {
  return Json::Object{{"device", device},
                      {"kernel", kernel.image().entry},
                      {"registers", kernel.registers()},
                      {"spillBytes", kernel.spillBytes()},
                      {"sharedBytes", kernel.image().sharedBytes}};
}

/// Says in a word whose mistake an error is.
static const char *kindName(runtime::ErrorKind kind) {
  switch (statusFor(kind)) {
  case UsageWrong:
    return "usage";
  case InputWrong:
    return kind == runtime::ErrorKind::Io ? "file" : "source";
  default:
    return kind == runtime::ErrorKind::Fault ? "kernel" : "device";
  }
}

/// Reports an error: whose mistake it is, its text and where there are any its diagnostics.
static Json errorReport(const runtime::Error &error) {
  Json::Object members{{"error", kindName(error.kind)}, {"message", error.text}};
  addPlace(members, error.place);
  members.emplace_back("diagnostics",
                       error.diagnostics ? jsonArray(*error.diagnostics, diagnosticJson) : Json::Array());
  return members;
}

int statusOf(const runtime::Result<int> &status, const std::string &report, void (*print)(std::string_view)) {
  if (status || !asksForJson(report))
    return statusOf(status);
  const runtime::Result<void> done = deliverReport(report, errorReport(status.error()).text(), print);
  if (!done && done.error().text != status.error().text)
    (void)fail(done.error());
  // On one stream with JSON there is no text.
  return report == "json" && print == say ? int(statusFor(status.error().kind)) : fail(status.error());
}

bool asksForJson(const std::string &report) { return report == "json" || report.ends_with(".json"); }

runtime::Result<void> checkReport(const std::string &report) {
  if (report.empty() || report == "text" || asksForJson(report))
    return {};
  return usageError(fmt::format(
      "expected text, json or a file's name that ends in .json after `--report`, found `{}`", report));
}

runtime::Result<void> deliverReport(const std::string &report, const std::string &text,
                                    void (*print)(std::string_view)) {
  if (report != "json" && asksForJson(report))
    return runtime::writeFile(report, text);
  print(text);
  return {};
}

} // namespace tegula::cli
