#include "tools/tegula/Toolkit.h"

#include "runtime/jit/Files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::string findTool(std::initializer_list<std::string_view> names) {
  const std::string home = environment("CUDA_HOME");
  const std::string folders =
      fmt::format("{}:{}:/usr/local/cuda/bin", home.empty() ? "" : home + "/bin", environment("PATH"));
  for (size_t start = 0; start < folders.size();) {
    const size_t end = std::min(folders.find(':', start), folders.size());
    for (std::string_view name : names) {
      const std::string candidate = fmt::format("{}/{}", folders.substr(start, end - start), name);
      if (end > start && access(candidate.c_str(), X_OK) == 0)
        return candidate;
    }
    start = end + 1;
  }
  return {};
}

namespace {

/// A folder that goes with the object.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code none;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(none);
    std::string name = (parent.empty() ? "/tmp" : parent.string()) + "/tegula-XXXXXX";
    if (mkdtemp(name.data()))
      path = name;
  }
  ~TemporaryFolder() {
    std::error_code none;
    if (!path.empty())
      std::filesystem::remove_all(path, none);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;

  std::string path; ///< empty where none could be made; errno says why
};

} // namespace

/// Runs a program with its output and its messages in files of `folder`. Errors: Driver with the messages.
static Result<std::string> runTool(const std::vector<std::string> &words, const std::string &folder) {
  const std::string outputPath = folder + "/output", messagesPath = folder + "/messages";
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, outputPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, messagesPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  const int problem = posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (problem)
    return Error{ErrorKind::Driver, fmt::format("cannot run `{}`: {}", words[0], std::strerror(problem))};
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return jit::readFile(outputPath, SIZE_MAX);
  Result<std::string> messages = jit::readFile(messagesPath, SIZE_MAX);
  std::string said = messages ? *messages : "";
  while (said.ends_with('\n'))
    said.pop_back();
  return Error{ErrorKind::Driver, fmt::format("`{}` failed{}{}", words[0], said.empty() ? "" : ":\n", said)};
}

static Error missingTool(std::string_view what, std::string_view names) {
  const std::string home = environment("CUDA_HOME");
  return {ErrorKind::Unavailable,
          fmt::format("--emit=sass needs {} of a CUDA toolkit: looked for {} {}on PATH and in "
                      "/usr/local/cuda/bin",
                      what, names, home.empty() ? "" : fmt::format("in {}/bin, ", home))};
}

Result<std::string> disassemble(std::string_view ptx, std::string_view target) {
  const std::string assembler = findTool({"ptxas"});
  if (assembler.empty())
    return missingTool("the assembler", "`ptxas`");
  const std::string disassembler = findTool({"nvdisasm", "cuobjdump"});
  if (disassembler.empty())
    return missingTool("a disassembler", "`nvdisasm` and `cuobjdump`");

  const TemporaryFolder folder;
  if (folder.path.empty())
    return Error{ErrorKind::Io, fmt::format("cannot make a temporary folder: {}", std::strerror(errno))};
  const std::string ptxPath = folder.path + "/kernel.ptx", cubinPath = folder.path + "/kernel.cubin";
  if (Result<void> written = jit::writeFile(ptxPath, ptx); !written)
    return written.error();
  Result<std::string> assembled =
      runTool({assembler, fmt::format("-arch={}", target), ptxPath, "-o", cubinPath}, folder.path);
  if (!assembled)
    return assembled.error();
  return runTool({disassembler, disassembler.ends_with("nvdisasm") ? "-c" : "-sass", cubinPath}, folder.path);
}

} // namespace tegula::cli
