#include "tools/insight/ReportText.h"

#include "compiler/target/Target.h"
#include "dialect/Counted.h"
#include "tools/insight/Roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

namespace tegula::explain {

namespace {

/// The column behind the last one that a place is about: its end, or that of the name that begins there.
uint32_t endOf(const insight::Place &place, std::string_view line) {
  if (place.endLine == place.line && place.endColumn > place.column)
    return std::min(place.endColumn, uint32_t(line.size()) + 1);
  if (place.endLine > place.line)
    return uint32_t(line.size()) + 1;
  uint32_t end = place.column;
  while (end <= line.size() && (std::isalnum(static_cast<unsigned char>(line[end - 1])) ||
                                line[end - 1] == '_' || line[end - 1] == '.'))
    ++end;
  return std::max(end, place.column + 1);
}

/// The width of UTF-8 text, with a column for each code point; tabs count as one, as they are shown.
size_t widthOf(std::string_view text) {
  return size_t(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

constexpr size_t margin = 8; ///< columns in front of source

/// ", each of 4 programs": where programs share a block.
std::string sharedBlockText(const Document &document) {
  const Remark *packing = document.packing();
  const std::string programs = packing ? argumentOf(*packing, "Programs") : std::string();
  return programs.empty() ? "" : fmt::format(", each of {} programs", programs);
}

void addHead(std::string &out, const Document &document) {
  out += fmt::format("{}  {}", document.kernel, document.spec.target);
  if (document.run)
    out += fmt::format("  {} of {}{}", counted(document.run->report.blocks, "block"),
                       counted(document.resources.threads / Target::warpSize, "warp"),
                       sharedBlockText(document));
  else
    out += fmt::format("  {}", counted(document.resources.threads / Target::warpSize, "warp"));
  std::string how = document.run ? document.run->device : "not run";
  if (document.specFrom == "docstring" || document.specFrom == "text")
    how += "; as in the " + document.specFrom;
  if (!document.guessed.empty())
    how += fmt::format("; guessed: {}", fmt::join(document.guessed, ", "));
  out += fmt::format("  ({})\n", how);
}

void addSource(std::string &out, const Document &document, const insight::Place &place) {
  std::string line(document.lineText(place.file, place.line));
  std::ranges::replace(line, '\t', ' ');
  if (line.empty()) {
    out +=
        fmt::format("{:>6}  {}:{}\n", place.line, document.insight.files[size_t(place.file)], place.column);
    return;
  }
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  constexpr size_t widest = 160; // a longer line is cut: the place is named by its column then
  const bool isLong = line.size() > widest;
  const std::string_view shown = isLong ? std::string_view() : std::string_view(line).substr(indent);
  const std::string &path = document.insight.files[size_t(place.file)];
  if (path != document.file)
    out += fmt::format("{}{}:\n", std::string(margin, ' '), path);
  if (isLong) {
    out += fmt::format("{:>6}  column {} of a line of {} columns\n", place.line, place.column, line.size());
    return;
  }
  out += fmt::format("{:>6}  {}\n", place.line, shown);
  if (place.column == 0 || place.column - 1 < indent || place.column > line.size())
    return;
  const size_t before = widthOf(std::string_view(line).substr(indent, place.column - 1 - indent));
  const uint32_t end = endOf(place, line);
  const size_t width =
      std::max<size_t>(1, widthOf(std::string_view(line).substr(place.column - 1, end - place.column)));
  out += fmt::format("{}{}\n", std::string(margin + before, ' '), std::string(width, '^'));
}

void addLabelled(std::string &out, std::string_view label, std::string_view what) {
  if (!what.empty())
    out += fmt::format("{}{:<8} {}\n", std::string(margin, ' '), label, what);
}

void addFinding(std::string &out, const Document &document, const Finding &finding) {
  if (finding.place != None)
    addSource(out, document, document.insight.places[size_t(finding.place)]);
  out += fmt::format("{}{}\n", std::string(margin, ' '), finding.text);
  addLabelled(out, "because", finding.because);
  if (!finding.isNothingToDo)
    addLabelled(out, "change", finding.change);
}

/// Returns the bytes that an iteration in flight takes of shared memory.
uint64_t bytesOfStage(const insight::Loop &loop) {
  uint64_t bytes = 0;
  for (const insight::LoopBuffer &buffer : loop.buffers)
    if (buffer.slots == loop.stages)
      bytes += buffer.bytes / buffer.slots;
  return bytes;
}

void addResources(std::string &out, const Document &document) {
  out += fmt::format("      {}\n", resourcesText(document.resources));
  if (!document.resources.occupancy.nextBlock.contains("shared"))
    return;
  // Whether a block more is worth a stage less is known to no count.
  for (const insight::Loop &loop : document.insight.loops)
    if (const uint64_t bytes = loop.stages > 2 && loop.place != None ? bytesOfStage(loop) : 0)
      out += fmt::format("      each of {} stages of the loop at line {} takes {} bytes of shared memory\n",
                         loop.stages, document.insight.places[size_t(loop.place)].line, bytes);
}

void addPressure(std::string &out, const Document &document) {
  const insight::PressurePeak &peak = document.insight.pressure.peak;
  if (!peak.registers || peak.place == None)
    return;
  constexpr size_t most = 4;
  std::vector<std::string> holders;
  for (const auto &[number, registers] : peak.holders) {
    const insight::Value &value = document.insight.values[size_t(number)];
    const std::string name = !value.name.empty() ? value.name
                             : value.place != None
                                 ? fmt::format("line {}", document.insight.places[size_t(value.place)].line)
                                 : value.ssa;
    holders.push_back(
        fmt::format("{} by {} ({}[{}])", registers, name, value.dtype, fmt::join(value.shape, ",")));
    if (holders.size() == most)
      break;
  }
  out += fmt::format("      tensors need {} registers of a thread at line {} if all stand at once: {}{}\n",
                     peak.registers, document.insight.places[size_t(peak.place)].line,
                     fmt::join(holders, ", "), peak.holders.size() > most ? ", ..." : "");
}

/// Says which warps load for which others, where a loop is warp-specialised.
void addLoops(std::string &out, const Document &document) {
  const auto warps = [](const insight::WarpGroup &group) {
    return group.warps == 1 ? fmt::format("warp {}", group.firstWarp)
                            : fmt::format("warps {}-{}", group.firstWarp, group.firstWarp + group.warps - 1);
  };
  std::set<std::string> told; // a loop of the source may have become several
  for (const insight::Loop &loop : document.insight.loops)
    if (loop.groups.size() == 2 && !loop.signals.empty() && loop.place != None)
      told.insert(fmt::format("{} load{} for {} in the loop at line {}, {} ahead", warps(loop.groups[0]),
                              loop.groups[0].warps == 1 ? "s" : "", warps(loop.groups[1]),
                              document.insight.places[size_t(loop.place)].line,
                              counted(loop.stages, "iteration")));
  for (const std::string &line : told)
    out += fmt::format("      {}\n", line);
}

void addTraffic(std::string &out, const Document &document) {
  if (!document.run || !document.roofline)
    return;
  const runtime::Counters &total = document.run->report.total;
  out += fmt::format(
      "      {} bytes moved, {} asked for · {} instructions of warps · {} requests of shared memory\n",
      document.roofline->bytesMoved, document.roofline->bytesLeast, total.warpInstructions,
      total.sharedRequests);
  if (const std::string line = rooflineText(*document.roofline, document.spec.target); !line.empty())
    out += fmt::format("      {}\n", line);
}

void addMeasured(std::string &out, const Document &document, const Measured &measured) {
  out += fmt::format("      {} ns a launch on {}, the median of {}\n", uint64_t(measured.nsQuantiles[2]),
                     measured.device, measured.launches);
  if (!measured.counts) {
    out += fmt::format("      no counters of the device: {}\n", measured.whyNoCounts);
    return;
  }
  const DeviceCounts &theirs = *measured.counts;
  const runtime::Counters &ours = document.run->report.total;
  out += fmt::format(
      "      counted by the device ({}), by the emulator: sectors loaded {}, {} · stored {}, {} · bank "
      "conflicts {}, {}\n",
      theirs.from, theirs.loadSectors, ours.loadSectors, theirs.storeSectors, ours.storeSectors,
      theirs.bankConflicts, ours.bankConflicts);
  out +=
      fmt::format("      {} instructions of machine code, {} of PTX · {} bytes read from DRAM, {} written\n",
                  theirs.instructions, ours.warpInstructions, theirs.dramBytesRead, theirs.dramBytesWritten);
}

void addFindings(std::string &out, const Document &document) {
  const auto first = std::ranges::find_if(document.findings, &Finding::isNothingToDo); // they come last
  for (auto one = document.findings.begin(); one != first; ++one)
    addFinding(out, document, *one);
  if (first == document.findings.begin())
    out += "      nothing found that costs more than it must\n";
  if (first != document.findings.end())
    out += "      what costs more by its nature, with nothing to do:\n";
  for (auto one = first; one != document.findings.end(); ++one)
    addFinding(out, document, *one);
}

/// Returns whether a place, or a call that led to it, is on `line` of the kernel's file.
bool isOn(const Document &document, Index place, uint32_t line) {
  for (; place != None; place = document.insight.places[size_t(place)].callSite) {
    const insight::Place &at = document.insight.places[size_t(place)];
    if (at.line == line && document.insight.files[size_t(at.file)] == document.file)
      return true;
  }
  return false;
}

std::string valueLine(const insight::Value &value) {
  std::string text = fmt::format("{} {}", value.op, value.name.empty() ? value.ssa : value.name);
  text += fmt::format(": {}[{}]", value.dtype, fmt::join(value.shape, ","));
  if (value.registers)
    text += fmt::format(", {} a thread", counted(value.registers, "register"));
  if (value.facts) {
    text += fmt::format("; runs of {}", fmt::join(value.facts->contiguous, " by "));
    text += fmt::format(" from multiples of {}", fmt::join(value.facts->divisible, " by "));
  }
  return text;
}

} // namespace

static std::string occupancyText(const Occupancy &occupancy) {
  if (occupancy.limits.empty())
    return {};
  std::string text = fmt::format(" · {} a multiprocessor, limited by {}", counted(occupancy.blocks, "block"),
                                 fmt::join(occupancy.limiters, " and "));
  for (const auto &[what, less] : occupancy.nextBlock)
    text += fmt::format("; one more needs {} {} fewer", less,
                        what == "registers" ? "registers a thread" : "bytes of it");
  return text;
}

/// "1372 bytes spilled, 1368 loaded back"
static std::string spillsText(const Resources &resources) {
  return fmt::format("{} bytes spilled, {} loaded back", resources.assembled->spillStoreBytes,
                     resources.assembled->spillLoadBytes);
}

std::string resourcesText(const Resources &resources) {
  std::string registers = "no assembler was found: registers are not known";
  std::string spills;
  if (resources.assembled) {
    registers = counted(resources.assembled->registers, "register");
    spills = resources.hasSpills() ? " · " + spillsText(resources) : " · no spills";
  }
  return fmt::format("{} · {} bytes of shared memory{}{}", registers, resources.sharedBytes,
                     occupancyText(resources.occupancy), spills);
}

std::string reportText(const Document &document) {
  std::string out;
  addHead(out, document);
  addFindings(out, document);
  addResources(out, document);
  addPressure(out, document);
  addLoops(out, document);
  addTraffic(out, document);
  if (document.measured)
    addMeasured(out, document, *document.measured);
  return out;
}

/// Returns what a person sees of an access: alike ones are told once.
static auto looksOf(const Access &access) {
  return std::tuple(access.isStore, access.isShared, access.bytesPerLane, access.requests, access.units,
                    access.unitsLeast, access.patterns.size());
}

/// "PTX lines 80 to 271: 24 loads of global memory, 2 bytes a thread, each 64 requests: ..."
static std::string accessText(const Access &first, size_t count, uint32_t lastLine) {
  const std::string what = first.isStore ? "store" : "load";
  return fmt::format("      {}: {} of {} memory, {} bytes a thread, {}{} requests: {} {}, {} needed; {}\n",
                     count == 1 ? fmt::format("PTX line {}", first.ptxLine)
                                : fmt::format("PTX lines {} to {}", first.ptxLine, lastLine),
                     count == 1 ? what : counted(count, what), first.isShared ? "shared" : "global",
                     first.bytesPerLane, count == 1 ? "" : "each ", first.requests, first.units,
                     first.isShared ? "passes" : "sectors", first.unitsLeast,
                     counted(first.patterns.size(), "pattern"));
}

/// The accesses of a line in the order of the PTX, those that follow each other and look alike in one.
static std::string accessesText(const Document &document, uint32_t line) {
  std::vector<const Access *> accesses;
  for (const Access &access : document.run->accesses)
    if (isOn(document, access.place, line))
      accesses.push_back(&access);
  std::string text;
  for (size_t begin = 0, end = 0; begin < accesses.size(); begin = end) {
    while (end < accesses.size() && looksOf(*accesses[end]) == looksOf(*accesses[begin]))
      ++end;
    text += accessText(*accesses[begin], end - begin, accesses[end - 1]->ptxLine);
  }
  return text;
}

std::string lineReport(const Document &document, uint32_t line) {
  std::string text;
  const auto add = [&](std::string_view what) { text += fmt::format("      {}\n", what); };
  for (size_t file = 0; file < document.insight.files.size(); ++file)
    if (document.insight.files[file] == document.file)
      text += fmt::format("{:>6}  {}\n", line, document.lineText(Index(file), line));
  if (document.run) {
    runtime::Counters sum;
    for (const runtime::InstructionProfile &one : document.run->profile.instructions)
      if (isOn(document, document.placeOfPtxLine(one.line), line))
        sum += one.counters;
    add(fmt::format("{} of {} instructions of warps", sum.warpInstructions,
                    document.run->report.total.warpInstructions));
    text += accessesText(document, line);
  }
  for (const insight::Value &value : document.insight.values)
    if (document.isOfStage(value, "distributed") && isOn(document, value.place, line))
      add(valueLine(value));
  for (const PlacedRemark &placed : document.remarks)
    if (isOn(document, placed.place, line))
      add(fmt::format("{}: {}: {}", remarkKindName(placed.remark.kind), placed.remark.pass,
                      placed.remark.text));
  size_t instructions = 0;
  for (const insight::Span &span : document.ptxSpans)
    instructions += isOn(document, span.place, line);
  add(counted(instructions, "instruction") + " of PTX");
  return text;
}

std::string configsText(const Document &document) {
  std::string text;
  for (const ConfigReport &config : document.configs) {
    text += fmt::format("config {}: {}\n", config.number, config.text);
    if (!config.error.empty())
      text += fmt::format("      {}\n", config.error);
    if (!config.resources)
      continue;
    const Resources &resources = *config.resources;
    const std::string registers =
        resources.assembled ? counted(resources.assembled->registers, "register") + ", " : "";
    const std::string spills = resources.hasSpills() ? ", " + spillsText(resources) : "";
    text +=
        fmt::format("      {}{} bytes of shared memory{}: {} a multiprocessor, limited by {}\n", registers,
                    resources.sharedBytes, spills, counted(resources.occupancy.blocks, "block"),
                    fmt::join(resources.occupancy.limiters, " and "));
  }
  return text;
}

} // namespace tegula::explain
