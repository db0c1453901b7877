// One executable under three names: the compiler in it is far larger than what the names differ in.
#include "tools/tegula/Stack.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"

#include <exception>
#include <new>
#include <string_view>

using namespace tegula::cli;

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
