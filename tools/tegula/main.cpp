// One executable under three names: the compiler in it is far larger than what the names differ in.
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <pthread.h>
#include <string_view>

using namespace tegula::cli;

/// Twice what Linux gives a main thread by default, under which the limits of nesting were chosen. Only what
/// is used of it takes memory.
static constexpr size_t stackBytes = 16 << 20;
/// The smallest stack of threads of LLVM and of the emulator.
static constexpr size_t threadStackBytes = 8 << 20;

/// glibc takes the size for new threads from `ulimit -s`.
static void raiseDefaultStack() {
  pthread_attr_t attributes;
  size_t bytes = 0;
  if (pthread_getattr_default_np(&attributes) != 0)
    return;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_setstacksize(&attributes, std::max(bytes, threadStackBytes));
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

namespace {
struct Job {
  const std::function<int()> &work;
  int status = 0;
};
} // namespace

/// Gives back what `work` does, run on a stack that is large enough for every nesting that parser and
/// evaluator allow, whatever `ulimit -s` says; threads that are made later get one too. Where there is no
/// memory for it: an error on stderr and the status of a failed device.
static int runOnLargeStack(const std::function<int()> &work) {
  raiseDefaultStack();
  Job job{work};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_t thread;
  const int problem = pthread_create(
      &thread, &attributes,
      [](void *data) -> void * {
        Job &job = *static_cast<Job *>(data);
        job.status = job.work();
        return nullptr;
      },
      &job);
  pthread_attr_destroy(&attributes);
  if (problem) {
    say(fmt::format("error: cannot make a stack of {} MiB: {}\n", stackBytes >> 20, std::strerror(problem)));
    return DeviceFailed;
  }
  pthread_join(thread, nullptr);
  return job.status;
}

static int runAs(std::string_view name, int argc, char **argv) {
  try {
    if (name == "tegula-opt")
      return optMain(argc, argv);
    if (name == "tegula-lsp")
      return lspMain(argc, argv);
    return tegulaMain(argc, argv);
  } catch (const std::bad_alloc &) {
    // Arrays as large as the machine are the user's to ask for.
    say("error: out of memory\n");
  } catch (const std::exception &error) {
    say(fmt::format("error: {}\n", error.what()));
  }
  return DeviceFailed;
}

int main(int argc, char **argv) {
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1);
  prepareStandardFiles();
  return runOnLargeStack([&] { return runAs(name, argc, argv); });
}
