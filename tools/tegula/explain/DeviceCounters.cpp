#include "tools/tegula/explain/DeviceCounters.h"

#include "runtime/device/assembler/ToolkitProgram.h"
#include "runtime/host/ChildProcess.h"
#include "runtime/host/Files.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tegula::cli {

using explain::DeviceCounts;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

namespace {

/// A metric of the profiler, and the count that it is a part of.
struct Metric {
  const char *name;
  uint64_t DeviceCounts::*count;
  bool needsTma = false;
};

/// Sectors are those that instructions ask L1 for, asynchronous copies among them, and that TMA asks L2 for.
constexpr Metric metrics[] = {
    {"smsp__inst_executed.sum", &DeviceCounts::instructions},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &DeviceCounts::loadSectors},
    {"l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", &DeviceCounts::loadSectors, true},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", &DeviceCounts::storeSectors},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", &DeviceCounts::storeSectors},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", &DeviceCounts::storeSectors},
    {"l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum", &DeviceCounts::storeSectors, true},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", &DeviceCounts::bankConflicts},
    {"dram__bytes_read.sum", &DeviceCounts::dramBytesRead},
    {"dram__bytes_write.sum", &DeviceCounts::dramBytesWritten},
};

std::vector<std::string> namesFor(const runtime::DeviceProperties &device) {
  std::vector<std::string> names;
  for (const Metric &metric : metrics)
    if (!metric.needsTma || device.computeMajor >= 9)
      names.emplace_back(metric.name);
  return names;
}

/// The words of `tegula run` that launch what is explained.
std::vector<std::string> wordsOfRun(const ExplainCommand &command) {
  std::vector<std::string> words{"run", command.file, "--device=cuda", "--seed=" + command.seed};
  for (const std::string &folder : command.importPaths)
    words.push_back("--import-path=" + folder);
  llvm::append_range(words, wordsOf(command, command));
  return words;
}

/// Splits a line of quoted fields with commas between: `"a","1,024"`.
std::vector<std::string> fieldsOf(llvm::StringRef line) {
  std::vector<std::string> fields;
  bool isInside = false;
  for (char c : line) {
    if (c == '"' && !isInside)
      fields.emplace_back();
    else if (isInside && c != '"')
      fields.back() += c;
    isInside ^= c == '"';
  }
  return fields;
}

/// Returns the number in a field, which has commas between thousands; 0 for "n/a", which a chip has no
/// counter for.
uint64_t numberOf(std::string field) {
  std::erase(field, ',');
  double number = 0;
  std::from_chars(field.data(), field.data() + field.size(), number);
  return uint64_t(number);
}

/// Reads the profiler's table: a line of names, one of units, then one for each launch.
std::optional<DeviceCounts> readTable(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  llvm::erase_if(lines, [](llvm::StringRef line) { return !line.starts_with("\""); });
  if (lines.size() < 3)
    return std::nullopt;
  const std::vector<std::string> names = fieldsOf(lines[0]), values = fieldsOf(lines[2]);
  DeviceCounts counts;
  for (size_t i = 0; i < std::min(names.size(), values.size()); ++i)
    for (const Metric &metric : metrics)
      if (names[i] == metric.name)
        counts.*metric.count += numberOf(values[i]);
  return counts;
}

/// Returns what the profiler says of an error, else the last that was written.
std::string complaintOf(const runtime::ProgramEnd &ended, llvm::StringRef log) {
  const auto [before, behind] = log.split("==ERROR== ");
  const llvm::StringRef said =
      behind.empty() ? llvm::StringRef(ended.messages).rtrim().rsplit('\n').second : behind;
  const llvm::StringRef line =
      said.empty() ? llvm::StringRef(ended.messages).rtrim() : said.split('\n').first;
  return line.empty() ? "it wrote no counts" : line.trim().str();
}

} // namespace

Result<DeviceCounts> countOnDevice(const Subject &subject, const std::string &entry,
                                   const runtime::DeviceProperties &device) {
  const std::string profiler = runtime::findToolkitProgram({"ncu"});
  if (profiler.empty())
    return Error{ErrorKind::Unavailable, "`ncu` of a CUDA toolkit was not found"};
  const runtime::TemporaryFolder folder;
  TRY(folder.made());
  const std::string log = folder.pathOf("counters.csv");
  runtime::ProgramRun run{.path = profiler,
                          .words = {"ncu", "--csv", "--page", "raw", "--print-units", "base",
                                    "--launch-count", "1", "--kernel-name", entry, "--log-file", log,
                                    "--metrics", fmt::format("{}", fmt::join(namesFor(device), ",")),
                                    llvm::sys::fs::getMainExecutable(nullptr, nullptr)}};
  const std::vector<std::string> words = wordsOfRun(subject.command);
  run.words.insert(run.words.end(), words.begin(), words.end());
  if (subject.command.file == "-")
    run.input = subject.input.text;
  const runtime::ProgramEnd ended = TRY(runtime::runProgram(run, folder));
  constexpr size_t mostBytes = size_t(1) << 26;
  const Result<std::string> text = runtime::readFile(log, mostBytes);
  if (text)
    if (std::optional<DeviceCounts> counts = readTable(*text); counts && ended.succeeded()) {
      counts->from = "ncu";
      return *counts;
    }
  return Error{ErrorKind::Driver, fmt::format("`{}`: {}", profiler, complaintOf(ended, text ? *text : ""))};
}

} // namespace tegula::cli
