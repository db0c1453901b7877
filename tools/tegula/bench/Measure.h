// Our side alone: times on a GPU, counts on the emulator.
#pragma once

#include "tools/tegula/bench/Row.h"

#include <map>
#include <memory>
#include <string>

namespace tegula::cli::bench {

/// The files of kernels, each read once.
class KernelFiles {
public:
  explicit KernelFiles(std::string folder) : path(std::move(folder)) {}

  /// The program of `file` and its kernel. Errors: Io, Compile, InvalidArgument.
  runtime::Result<std::shared_ptr<jit::JitProgram>> program(const std::string &file);
  runtime::Result<const KernelInfo *> kernel(const std::string &file, const std::string &name);
  runtime::Result<std::vector<KernelConfig>> configs(const std::string &file, const std::string &kernel);
  const std::string &folder() const { return path; }

private:
  std::string path;
  std::map<std::string, std::shared_ptr<jit::JitProgram>> programs;
};

struct MeasureOptions {
  double milliseconds = 100; ///< of launches, for each config
  bool isAgain = false;      ///< all configs, even where an earlier run has chosen
  bool isSweep = false;      ///< all configs, and what came of each
};

/// Measures the configs of `subject` and gives the best; on the emulator one launch is counted. Errors: the
/// device's; Compile where no config works.
runtime::Result<Row> measure(const Case &subject, KernelFiles &files,
                             const std::shared_ptr<runtime::Device> &device, const MeasureOptions &options);

} // namespace tegula::cli::bench
