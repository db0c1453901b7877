#include "tools/tegula/command/OwnProcess.h"

#include "runtime/host/ChildProcess.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <cstring>
#include <sys/wait.h>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

Result<Finished> runSelf(std::span<const std::string> words, const std::optional<std::string> &input,
                         int64_t seconds, std::function<bool()> isStopped) {
  const runtime::TemporaryFolder folder;
  TRY(folder.made());
  runtime::ProgramRun run{.path = llvm::sys::fs::getMainExecutable(nullptr, nullptr),
                          .words = {"tegula"},
                          .input = input,
                          .limit = std::chrono::seconds(seconds),
                          .isStopped = std::move(isStopped),
                          .mostKept = size_t(1) << 20};
  run.words.insert(run.words.end(), words.begin(), words.end());
  runtime::ProgramEnd end = TRY(runtime::runProgram(run, folder));
  if (!end.status)
    return Error{ErrorKind::Interrupted, fmt::format("given up after {} s\n{}", seconds, end.messages)};
  if (WIFSIGNALED(*end.status))
    return Error{ErrorKind::Fault,
                 fmt::format("the command did not end by itself: {}{}\n{}", strsignal(WTERMSIG(*end.status)),
                             WCOREDUMP(*end.status) ? " (core dumped)" : "", end.messages)};
  return Finished{WEXITSTATUS(*end.status), std::move(end.output), std::move(end.messages)};
}

} // namespace tegula::cli
