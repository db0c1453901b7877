// Other programs as child processes, started without a shell and safely among threads.
#pragma once

#include "runtime/host/TemporaryFolder.h"

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <sys/types.h>
#include <variant>
#include <vector>

namespace tegula::runtime {

/// A standard stream of a child process: the file at a path, which is made anew where the stream is written,
/// or a descriptor of this process.
using ChildStream = std::variant<std::string, int>;

/// Starts the program at `path`. `words` are the name that it is called by and its arguments, `streams` its
/// standard input, output and messages; it has no other descriptor of this process that is closed on
/// execution. The caller waits for its end (`waitForProgram`). Errors: Driver.
Result<pid_t> startProgram(const std::string &path, const std::vector<std::string> &words,
                           const std::array<ChildStream, 3> &streams);

/// Waits for the end of `process` and returns its status as `waitpid` has it; nothing where it was killed, as
/// it had not ended within `limit` or before `isStopped`, which is asked many times a second, said so. A
/// caller that ignores its children (SIGCHLD) is told no status: it gets 0.
std::optional<int> waitForProgram(pid_t process, std::optional<std::chrono::seconds> limit = std::nullopt,
                                  const std::function<bool()> &isStopped = {});

/// A program that is to be run to its end.
struct ProgramRun {
  std::string path;
  std::vector<std::string> words;            ///< the name that it is called by, and its arguments
  std::optional<std::string> input;          ///< on standard input
  std::optional<std::chrono::seconds> limit; ///< after which it is killed
  std::function<bool()> isStopped;           ///< true: it is killed; may be absent
  size_t mostKept = SIZE_MAX;                ///< bytes of each output; a line says how many more there were
};

/// The end of a program, and what it wrote.
struct ProgramEnd {
  std::optional<int> status; ///< as `waitpid` has it; nothing where it was killed
  std::string output, messages;
  bool succeeded() const { return status == 0; }
};

/// Runs a program to its end. Its standard streams are files of `folder`, so that it never waits for a
/// reader, however much it writes. Errors: Driver where it cannot be started; Io.
Result<ProgramEnd> runProgram(const ProgramRun &run, const TemporaryFolder &folder);

} // namespace tegula::runtime
