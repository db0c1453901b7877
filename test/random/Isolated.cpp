#include "test/random/Differential.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::random {

/// Longer than any comparison takes: what is endless must end too.
static constexpr unsigned secondsAtMost = 60;

/// The child's half: what it found goes through the pipe, the kind first.
[[noreturn]] static void compareInChild(Compiler &compiler, const RandomKernel &kernel, const Comparison &how,
                                        int to) {
  alarm(secondsAtMost);
  std::string message;
  if (std::optional<Difference> difference = compare(compiler, kernel, how))
    message = std::string(1, char('0' + difference->kind)) + difference->text;
  for (size_t done = 0; done < message.size();) {
    const ssize_t written = write(to, message.data() + done, message.size() - done);
    if (written <= 0)
      break;
    done += size_t(written);
  }
  _exit(0);
}

std::optional<Difference> compareIsolated(Compiler &compiler, const RandomKernel &kernel,
                                          const Comparison &how) {
  int ends[2];
  if (pipe(ends) != 0)
    return compare(compiler, kernel, how);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    compareInChild(compiler, kernel, how, ends[1]);
  }
  close(ends[1]);
  std::string message;
  char buffer[4096];
  for (ssize_t got; child > 0 && (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    message.append(buffer, size_t(got));
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0)
    return compare(compiler, kernel, how);
  if (WIFSIGNALED(status))
    return Difference{Difference::Crash, fmt::format("{}", strsignal(WTERMSIG(status)))};
  if (WEXITSTATUS(status) != 0)
    return Difference{Difference::Crash, fmt::format("status {}", WEXITSTATUS(status))};
  if (message.empty())
    return std::nullopt;
  return Difference{Difference::Kind(message[0] - '0'), message.substr(1)};
}

} // namespace tegula::random
