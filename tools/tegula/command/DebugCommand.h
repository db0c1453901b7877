// Options of `tegula debug`, as the command line gives them.
#pragma once

#include "tools/tegula/command/Commands.h"

namespace tegula::cli {

/// The value of `--against` alone: what the kernel is compiled to.
inline constexpr const char *againstCompiled = "compiled";

struct DebugCommand : KernelOptions {
  std::string grid;
  std::vector<std::string> arguments; ///< --arg NAME=VALUE
  std::string device;                 ///< --device interpret or emulator[:N]; empty: interpret
  std::string seed = "0";
  std::string program;               ///< --program X[,Y[,Z]]; empty for all
  std::string stops;                 ///< --stop nan,overflow; empty for these two
  std::vector<std::string> expects;  ///< --expect NAME=@REF.npy[,atol=A][,rtol=R]
  std::string against;               ///< --against[=FILE]: compare with the emulator; empty: no
  std::vector<std::string> commands; ///< --command; before those that are read
  std::string script;                ///< --script: a file of commands instead of standard input
};

} // namespace tegula::cli
