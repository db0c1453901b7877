#include "tools/tegula/check/RecordedLaunches.h"

#include "runtime/host/Files.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace tegula::cli {

namespace fs = std::filesystem;

/// More than a project's kernels take: programs are recorded once.
static constexpr uint64_t mostBytes = uint64_t(256) << 20;

void RecordedLaunches::add(std::string_view line, std::map<std::string, std::string> &sources) {
  std::variant<RecordLine, std::string> parsed = readRecordLine(line);
  auto *read = std::get_if<RecordLine>(&parsed);
  if (!read)
    return; // written by hand, or being written
  if (const auto *one = std::get_if<IdentifiedProgram>(read)) {
    const RecordedProgram &program = one->program;
    sources[one->id] = program.isFile()                       ? program.path
                       : program.entry < program.units.size() ? program.units[program.entry].path
                                                              : "";
  } else if (auto *kernel = std::get_if<RecordedKernel>(read)) {
    const auto found = sources.find(kernel->program);
    if (found == sources.end())
      return;
    std::string name = kernel->spec.kernel; // which the move takes along
    launches.emplace(std::move(name), Launch{found->second, std::move(kernel->spec)});
  }
}

std::string RecordedLaunches::file() {
  std::lock_guard lock(mutex);
  return path;
}

void RecordedLaunches::use(std::string file) {
  std::lock_guard lock(mutex);
  path = std::move(file);
  time = {};
  size = 0;
  launches.clear();
  wrong.clear();
}

void RecordedLaunches::refresh() {
  if (path.empty())
    return;
  std::error_code failed;
  const fs::file_time_type now = fs::last_write_time(path, failed);
  const uintmax_t bytes = failed ? 0 : fs::file_size(path, failed);
  if (!failed && now == time && bytes == size)
    return;
  launches.clear();
  wrong.clear();
  time = now;
  size = bytes;
  runtime::Result<std::string> text = runtime::readFile(path, mostBytes);
  if (!text) {
    wrong = text.error().text;
    return;
  }
  std::map<std::string, std::string> sources; // by program
  for (llvm::StringRef line : llvm::split(*text, '\n'))
    if (!line.empty())
      add(line, sources);
}

/// Returns true if two paths lead to one file.
static bool isSame(const std::string &one, const std::string &other) {
  std::error_code failed;
  return one == other || (fs::equivalent(one, other, failed) && !failed);
}

std::optional<KernelSpec> RecordedLaunches::find(const std::string &source, const std::string &kernel) {
  std::lock_guard lock(mutex);
  refresh();
  const auto [first, last] = launches.equal_range(kernel);
  for (auto at = last; at != first;)
    if (--at; isSame(at->second.source, source))
      return at->second.spec;
  return std::nullopt;
}

std::string RecordedLaunches::problem() {
  std::lock_guard lock(mutex);
  refresh();
  return wrong;
}

} // namespace tegula::cli
