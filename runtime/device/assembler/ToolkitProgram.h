// Programs of a CUDA toolkit, where one is installed: found and run, without a shell. Nothing needs them.
#pragma once

#include "dialect/image/Result.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::runtime {

/// Returns CUDA_HOME; empty where it is not set.
std::string toolkitHome();

/// The path of the first of the programs `names` that is found: in CUDA_HOME, on PATH, or where toolkits are
/// usually installed. Empty where there is none.
std::string findToolkitProgram(std::initializer_list<std::string_view> names);

/// A folder for the files of a program, which goes with the object.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;

  /// Returns an error if it could not be made. Errors: Io.
  Result<void> made() const;
  std::string pathOf(const char *name) const { return path + "/" + name; }
  /// A file of the folder. Errors: Io.
  Result<void> write(const char *name, std::string_view bytes) const;
  Result<std::string> read(const char *name) const;

private:
  std::string path;
  int code = 0; ///< errno where it could not be made
};

/// Output of a program, and whether it succeeded.
struct ProgramOutput {
  bool succeeded = false;
  std::string output, messages;
};

/// Runs a program to its end: `words` are its path and its arguments, `folder` takes what it prints. Errors:
/// Driver where it cannot be run; Io.
Result<ProgramOutput> runProgram(const std::vector<std::string> &words, const TemporaryFolder &folder);

} // namespace tegula::runtime
