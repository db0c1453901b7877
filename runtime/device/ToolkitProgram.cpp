#include "runtime/device/ToolkitProgram.h"
#include "runtime/host/Environment.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tegula::runtime {

std::string toolkitHome() { return environment("CUDA_HOME"); }

std::string findToolkitProgram(std::initializer_list<std::string_view> names) {
  const std::string home = toolkitHome();
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

static Error ioError(const char *verb, const std::string &path) {
  return {ErrorKind::Io, fmt::format("cannot {} `{}`: {}", verb, path, std::strerror(errno ? errno : EIO))};
}

TemporaryFolder::TemporaryFolder() {
  std::error_code none;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(none);
  std::string name = (parent.empty() ? "/tmp" : parent.string()) + "/tegula-XXXXXX";
  if (mkdtemp(name.data()))
    path = name;
  else
    code = errno;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  if (!path.empty())
    std::filesystem::remove_all(path, none);
}

Result<void> TemporaryFolder::made() const {
  if (!path.empty())
    return {};
  return Error{ErrorKind::Io, fmt::format("cannot make a temporary folder: {}", std::strerror(code))};
}

Result<void> TemporaryFolder::write(const char *name, std::string_view bytes) const {
  errno = 0;
  std::ofstream file(pathOf(name), std::ios::binary);
  file.write(bytes.data(), std::streamsize(bytes.size()));
  file.close();
  if (!file)
    return ioError("write", pathOf(name));
  return {};
}

Result<std::string> TemporaryFolder::read(const char *name) const {
  errno = 0;
  std::ifstream file(pathOf(name), std::ios::binary);
  if (!file)
    return ioError("read", pathOf(name));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<ProgramOutput> runProgram(const std::vector<std::string> &words, const TemporaryFolder &folder) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const auto &[descriptor, name] :
       {std::pair(STDOUT_FILENO, "output"), std::pair(STDERR_FILENO, "messages")})
    posix_spawn_file_actions_addopen(&files, descriptor, folder.pathOf(name).c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::vector<char *> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  const int problem = posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (problem)
    return Error{ErrorKind::Driver, fmt::format("cannot run `{}`: {}", words[0], std::strerror(problem))};
  pid_t waited;
  while ((waited = waitpid(child, &status, 0)) < 0 && errno == EINTR)
    ;
  std::string output = TRY(folder.read("output")), messages = TRY(folder.read("messages"));
  // A caller that ignores its children loses its exit status; its output says how it ended.
  const bool succeeded = waited < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return ProgramOutput{succeeded, std::move(output), std::move(messages)};
}

} // namespace tegula::runtime
