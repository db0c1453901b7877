// Compiles kernels ahead of time, side by side, into one bundle.
#pragma once

#include "compiler/driver/CompilationRecord.h"
#include "compiler/driver/KernelInfo.h"
#include "dialect/image/Result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tegula::jit {

/// A kernel to be bundled.
struct BundleRequest {
  std::shared_ptr<const RecordedProgram> program;
  RecordedKernel kernel; ///< `kernel.program` is not read
  std::string name;      ///< by which programs without a compiler ask for it
};

struct BundleOptions {
  std::vector<std::string> targets; ///< to compile for; empty: what each request says
  bool machineCode = true;          ///< where an assembler is found
  unsigned threads = 0;             ///< 0: as many as the machine has
};

/// A bundle, and how it came about.
struct BuiltBundle {
  std::string bytes;                 ///< the file
  size_t kernels = 0, assembled = 0; ///< counts
  std::vector<std::string> warnings; ///< lines without an end
  std::string messages; ///< warnings and static prints of the kernels, rendered: no later process has them
};

/// Compiles `requests` for every target and adds `notes`, texts by their names. Of a kernel with tensor maps
/// the variant without them is compiled too, for arguments that no map describes. The same inputs give the
/// same bytes, as long as the same assembler is found or none is asked for. Errors: Compile, of every request
/// that fails.
runtime::Result<BuiltBundle> buildBundle(const std::vector<BundleRequest> &requests,
                                         const std::map<std::string, std::string> &notes,
                                         const BundleOptions &options);

/// The parameters that launches of `kernel` give where it is compiled for `spec`, in order.
std::vector<RecordedParameter> launchParameters(const KernelInfo &kernel, const KernelSpec &spec);

} // namespace tegula::jit
