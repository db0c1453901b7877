#include "runtime/device/assembler/ToolkitProgram.h"
#include "runtime/host/Environment.h"
#include "runtime/host/Files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
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

TemporaryFolder::TemporaryFolder() {
  const std::string parent = environment("TMPDIR");
  std::string name = (access(parent.c_str(), X_OK) == 0 ? parent : "/tmp") + "/tegula-XXXXXX";
  if (mkdtemp(name.data()))
    path = name;
  else
    code = errno;
}

TemporaryFolder::~TemporaryFolder() {
  DIR *folder = path.empty() ? nullptr : opendir(path.c_str());
  if (!folder)
    return;
  // There are files alone in it: what could not be removed is not worth a word.
  while (const dirent *entry = readdir(folder))
    unlink(pathOf(entry->d_name).c_str());
  closedir(folder);
  rmdir(path.c_str());
}

Result<void> TemporaryFolder::made() const {
  if (!path.empty())
    return {};
  return Error{ErrorKind::Io, fmt::format("cannot make a temporary folder: {}", std::strerror(code))};
}

Result<void> TemporaryFolder::write(const char *name, std::string_view bytes) const {
  return writeFile(pathOf(name), bytes);
}

Result<std::string> TemporaryFolder::read(const char *name) const { return readFile(pathOf(name), SIZE_MAX); }

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
