// NVIDIA's assembler, where a machine has one, and what it says of PTX.
#pragma once

#include "compiler/target/Target.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::test {

/// The assembler, by the environment's PATH or where toolkits put it; empty when there is none.
inline std::string findAssembler() {
  std::stringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');)
    if (std::filesystem::exists(folder + "/ptxas"))
      return folder + "/ptxas";
  const std::string usual = "/usr/local/cuda/bin/ptxas";
  return std::filesystem::exists(usual) ? usual : "";
}

struct Assembled {
  int status = -1;
  std::string text; ///< what it printed, registers and spills included
  /// Also of products of groups of warps that it makes wait (C7500 to C7599).
  bool warns() const {
    return text.find("warning") != std::string::npos || text.find("(C75") != std::string::npos;
  }
  bool spills() const { return text.find(" 0 bytes spill stores, 0 bytes spill loads") == std::string::npos; }
};

/// Assembles `ptx` with `tool` at optimisation level `level`. `name` names a file for a moment.
inline Assembled assemble(const std::string &tool, const std::string &ptx, const Target &target,
                          const std::string &level, const std::string &name) {
  std::filesystem::path file =
      std::filesystem::temp_directory_path() / (name + "_" + std::to_string(getpid()) + ".ptx");
  std::ofstream(file) << ptx;
  Assembled result;
  std::string command = "'" + tool + "' -v -O" + level + " -arch=" + std::string(target.name) +
                        " -o /dev/null '" + file.string() + "' 2>&1";
  if (FILE *pipe = popen(command.c_str(), "r")) {
    char buffer[4096];
    while (size_t read = fread(buffer, 1, sizeof buffer, pipe))
      result.text.append(buffer, read);
    result.status = WEXITSTATUS(pclose(pipe));
  }
  std::filesystem::remove(file);
  return result;
}

} // namespace tegula::test
