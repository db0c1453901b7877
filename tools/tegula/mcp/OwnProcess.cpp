#include "tools/tegula/mcp/OwnProcess.h"

#include "runtime/host/Files.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

namespace {

constexpr size_t mostKept = size_t(1) << 20;

/// The path of a new file, which is removed with it.
class TemporaryFile {
public:
  static Result<std::unique_ptr<TemporaryFile>> make() {
    llvm::SmallString<64> path;
    if (const std::error_code problem = llvm::sys::fs::createTemporaryFile("tegula", "txt", path))
      return Error{ErrorKind::Io, fmt::format("cannot make a temporary file: {}", problem.message())};
    return std::unique_ptr<TemporaryFile>(new TemporaryFile(path.str().str()));
  }

  const std::string &path() const { return name; }

  /// Its text, cut off behind `mostKept` bytes.
  std::string text() const {
    const auto buffer = llvm::MemoryBuffer::getFile(name, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer)
      return {};
    const llvm::StringRef all = (*buffer)->getBuffer();
    if (all.size() <= mostKept)
      return all.str();
    return fmt::format("{}\n... {} bytes more\n", all.take_front(mostKept).str(), all.size() - mostKept);
  }

private:
  explicit TemporaryFile(std::string path) : name(std::move(path)), remover(name) {}

  std::string name;
  llvm::FileRemover remover;
};

/// Waits for the end of `process` and returns its status, below 0 where a signal ended it; nothing where it
/// was killed after `seconds`. LLVM's own limit is an alarm, which another thread may get.
std::optional<int> waitFor(const llvm::sys::ProcessInfo &process, int64_t seconds, std::string &problem) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  for (auto pause = std::chrono::milliseconds(1);;
       pause = std::min(2 * pause, std::chrono::milliseconds(50))) {
    const llvm::sys::ProcessInfo found = llvm::sys::Wait(process, 0, &problem, nullptr, /*Polling=*/true);
    if (found.Pid != 0)
      return found.ReturnCode;
    if (std::chrono::steady_clock::now() >= end)
      break;
    std::this_thread::sleep_for(pause);
  }
  kill(process.Pid, SIGKILL);
  (void)llvm::sys::Wait(process, std::nullopt);
  return std::nullopt;
}

} // namespace

Result<Finished> runSelf(std::span<const std::string> words, const std::optional<std::string> &input,
                         int64_t seconds) {
  const std::unique_ptr<TemporaryFile> in = TRY(TemporaryFile::make());
  const std::unique_ptr<TemporaryFile> out = TRY(TemporaryFile::make());
  const std::unique_ptr<TemporaryFile> err = TRY(TemporaryFile::make());
  if (input)
    TRY(runtime::writeFile(in->path(), *input));
  const std::string self = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  llvm::SmallVector<llvm::StringRef, 16> arguments{"tegula"};
  arguments.append(words.begin(), words.end());
  const std::array<std::optional<llvm::StringRef>, 3> files{in->path(), out->path(), err->path()};
  std::string problem;
  bool couldNotStart = false;
  llvm::sys::ProcessInfo process =
      llvm::sys::ExecuteNoWait(self, arguments, std::nullopt, files, 0, &problem, &couldNotStart);
  if (couldNotStart)
    return Error{ErrorKind::Io, fmt::format("cannot run `{}`: {}", self, problem)};
  const std::optional<int> status = waitFor(process, seconds, problem);
  if (!status)
    return Error{ErrorKind::Interrupted, fmt::format("given up after {} s\n{}", seconds, err->text())};
  if (*status < 0)
    return Error{ErrorKind::Fault,
                 fmt::format("the command did not end by itself: {}\n{}", problem, err->text())};
  return Finished{*status, out->text(), err->text()};
}

} // namespace tegula::cli
