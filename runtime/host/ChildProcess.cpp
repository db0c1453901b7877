#include "runtime/host/ChildProcess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace tegula::runtime {

Result<pid_t> startProgram(const std::string &path, const std::vector<std::string> &words,
                           const std::array<ChildStream, 3> &streams) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int number = 0; number < int(streams.size()); ++number) {
    const ChildStream &stream = streams[size_t(number)];
    if (const std::string *file = std::get_if<std::string>(&stream))
      posix_spawn_file_actions_addopen(&actions, number, file->c_str(),
                                       number == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC,
                                       0600);
    else if (std::get<int>(stream) != number)
      posix_spawn_file_actions_adddup2(&actions, std::get<int>(stream), number);
  }
  std::vector<char *> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int problem = posix_spawn(&process, path.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem)
    return Error{ErrorKind::Driver, fmt::format("cannot run `{}`: {}", path, std::strerror(problem))};
  return process;
}

std::optional<int> waitForProgram(pid_t process, std::optional<std::chrono::seconds> limit,
                                  const std::function<bool()> &isStopped) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + limit.value_or(0s);
  const bool mayBeKilled = limit || isStopped;
  // An alarm at the end would be one of the whole process, which another thread may get.
  for (auto pause = 1ms;; pause = std::min(2 * pause, 50ms)) {
    int status = 0;
    const pid_t ended = waitpid(process, &status, mayBeKilled ? WNOHANG : 0);
    if (ended == process)
      return status;
    if (ended < 0 && errno != EINTR)
      return 0;
    if (!mayBeKilled)
      continue;
    if ((limit && std::chrono::steady_clock::now() >= end) || (isStopped && isStopped()))
      break;
    std::this_thread::sleep_for(pause);
  }
  kill(process, SIGKILL);
  waitForProgram(process);
  return std::nullopt;
}

Result<ProgramEnd> runProgram(const ProgramRun &run, const TemporaryFolder &folder) {
  if (run.input)
    TRY(folder.write("input", *run.input));
  const pid_t process = TRY(startProgram(run.path, run.words,
                                         {run.input ? folder.pathOf("input") : "/dev/null",
                                          folder.pathOf("output"), folder.pathOf("messages")}));
  ProgramEnd end{waitForProgram(process, run.limit, run.isStopped), {}, {}};
  end.output = TRY(folder.readFront("output", run.mostKept));
  end.messages = TRY(folder.readFront("messages", run.mostKept));
  return end;
}

} // namespace tegula::runtime
