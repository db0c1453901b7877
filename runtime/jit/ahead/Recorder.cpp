#include "runtime/jit/ahead/Recorder.h"

#include "runtime/host/Environment.h"

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

namespace {

/// Appends to the file.
class RecordWriter {
public:
  /// Adds the lines, each once in this process, by one write.
  void add(std::initializer_list<std::string> lines) {
    std::lock_guard lock(mutex);
    std::string text;
    for (const std::string &line : lines)
      if (written.insert(line).second)
        text += line;
    if (!text.empty() && !append(text) && !std::exchange(hasWarned, true))
      fmt::print(stderr, "warning: TEGULA_RECORD: cannot write to `{}`: {}\n", recordFile(),
                 std::strerror(errno));
  }

private:
  static bool append(const std::string &text) {
    const int file = ::open(recordFile().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0)
      return false;
    size_t done = 0;
    while (done < text.size()) {
      const ssize_t count = write(file, text.data() + done, text.size() - done);
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        break;
      done += size_t(count);
    }
    const int problem = errno;
    close(file);
    errno = problem;
    return done == text.size();
  }

  std::mutex mutex;
  std::set<std::string> written;
  bool hasWarned = false;
};

RecordWriter &recordWriter() {
  static auto *made = new RecordWriter;
  return *made;
}

} // namespace

void record(const RecordedProgram &program, const RecordedKernel &kernel) {
  recordWriter().add({recordLine(program, kernel.program), recordLine(kernel)});
}

void record(const RecordedNote &note) { recordWriter().add({recordLine(note)}); }

} // namespace tegula::jit
