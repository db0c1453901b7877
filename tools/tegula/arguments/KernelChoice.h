// The common part of compile and run: the file, the kernel, its compile-time values.
#pragma once

#include "runtime/jit/launch/Jit.h"
#include "tools/tegula/command/Commands.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tegula::cli {

struct KernelChoice {
  std::shared_ptr<jit::JitProgram> program;
  const KernelInfo *kernel = nullptr;
  jit::JitKernel::Options options; ///< of -D, --num-warps and --num-stages, checked

  /// The kernel's configs for the default target. Errors: Compile.
  runtime::Result<std::vector<KernelConfig>> configs() const {
    return program->source().configs(kernel->name, KernelSpec().target, options.tritonVersion);
  }
};

/// The word that stands for the config that `tegula tune` chose: `--config=tuned`.
inline constexpr const char *tunedConfig = "tuned";

/// The kernel as it is defined for `target`, by default for `jit::defaultTarget()`. `--config=tuned` is left
/// to who knows the arguments. Errors: Io, Compile; InvalidArgument for names that are no parameters, with
/// the nearest that is.
runtime::Result<KernelChoice> chooseKernel(const KernelOptions &options,
                                           std::shared_ptr<jit::JitProgram> program,
                                           const std::string &target = {});

/// "kernel `add` needs a value for `BLOCK` (-D NAME=VALUE, or --config=0..3)": for compile-time values, which
/// a config may give.
runtime::Error missingValues(const KernelChoice &choice, const std::vector<std::string> &names);

/// The compile-time value that `text`, as behind `-D NAME=`, is for the parameter `name`. Errors:
/// InvalidArgument for an unknown parameter and for what is no value.
runtime::Result<BoundValue> constexprFor(const KernelInfo &kernel, const std::string &name,
                                         const std::string &text);

/// Null when the kernel has no such parameter.
const ParameterInfo *findParameter(const KernelInfo &kernel, const std::string &name);

/// "kernel `add` has no parameter `m`; did you mean `n`?"; `known` are other names that may be meant.
runtime::Error unknownParameter(const KernelInfo &kernel, const std::string &name,
                                std::vector<std::string> known = {});

/// "kernel `add` needs a value for `x` and `y`": for parameters that were given nothing.
runtime::Error missingParameters(const KernelInfo &kernel, const std::vector<std::string> &names,
                                 const std::string &how);

} // namespace tegula::cli
