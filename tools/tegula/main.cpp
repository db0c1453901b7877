// One executable under three names: the compiler in it is far larger than what the names differ in.
#include "tools/tegula/Commands.h"

#include <exception>
#include <fmt/format.h>
#include <new>
#include <string_view>

int main(int argc, char **argv) {
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1);
  try {
    if (name == "tegula-opt")
      return tegula::cli::optMain(argc, argv);
    if (name == "tegula-lsp")
      return tegula::cli::lspMain(argc, argv);
    return tegula::cli::tegulaMain(argc, argv);
  } catch (const std::bad_alloc &) {
    // Arrays as large as the machine are the user's to ask for.
    fmt::print(stderr, "error: out of memory\n");
    return 3;
  } catch (const std::exception &error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 3;
  }
}
