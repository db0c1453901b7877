#include "runtime/jit/ahead/Recorder.h"

#include "runtime/host/Environment.h"
#include "runtime/host/Files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <unistd.h>
#include <utility>

namespace tegula::jit {

static const std::string &recordFile() {
  // Never destroyed: kernels may be compiled while the process is ending.
  static const auto *path = new std::string(runtime::environment("TEGULA_RECORD"));
  return *path;
}

bool isRecording() { return !recordFile().empty(); }

/// Appends to the file, by one write.
static bool append(const std::string &text) {
  const int file = ::open(recordFile().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0)
    return false;
  const bool isWritten = runtime::writeAll(file, text);
  const int problem = errno;
  close(file);
  errno = problem;
  return isWritten;
}

/// Adds the lines, each once in this process.
static void add(std::initializer_list<std::string> lines) {
  static std::mutex mutex;
  static auto *written = new std::set<std::string>;
  static bool hasWarned = false;
  std::lock_guard lock(mutex);
  std::string text;
  for (const std::string &line : lines)
    if (written->insert(line).second)
      text += line;
  if (!text.empty() && !append(text) && !std::exchange(hasWarned, true))
    fmt::print(stderr, "warning: TEGULA_RECORD: cannot write to `{}`: {}\n", recordFile(),
               std::strerror(errno));
}

void record(const RecordedProgram &program, const RecordedKernel &kernel) {
  add({recordLine(program, kernel.program), recordLine(kernel)});
}

void record(const RecordedNote &note) { add({recordLine(note)}); }

} // namespace tegula::jit
