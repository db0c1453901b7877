#include "tools/tegula/bench/Helper.h"

#include <fmt/format.h>

#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tegula::cli::bench {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static Result<pid_t> start(const std::vector<std::string> &words, int output, int unused) {
  std::vector<char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(const_cast<char *>(word.c_str())); // which posix_spawn does not change
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, output);
  posix_spawn_file_actions_addclose(&actions, unused);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return Error{ErrorKind::Unavailable, fmt::format("cannot run `{}`: {}", words[0], std::strerror(failed))};
  return child;
}

Result<void> runHelper(const std::vector<std::string> &words,
                       const std::function<void(const std::string &)> &hear) {
  int ends[2];
  if (pipe(ends) != 0)
    return Error{ErrorKind::Io, "cannot make a pipe"};
  Result<pid_t> child = start(words, ends[1], ends[0]);
  close(ends[1]);
  std::string held;
  char bytes[4096];
  for (ssize_t count; child && (count = read(ends[0], bytes, sizeof(bytes))) > 0;) {
    held.append(bytes, size_t(count));
    for (size_t end; (end = held.find('\n')) != std::string::npos; held.erase(0, end + 1))
      hear(held.substr(0, end));
  }
  close(ends[0]);
  if (!child)
    return child.error();
  int status = 0;
  waitpid(*child, &status, 0);
  if (WIFSIGNALED(status))
    return Error{ErrorKind::Driver, fmt::format("`{}` ended by signal {}", words[0], WTERMSIG(status))};
  if (WEXITSTATUS(status) != 0)
    return Error{ErrorKind::Driver, fmt::format("`{}` ended with status {}", words[0], WEXITSTATUS(status))};
  return {};
}

} // namespace tegula::cli::bench
