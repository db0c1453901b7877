// Reads the FILE of `tegula compile` and `tegula run`: kernels, the text of a stage, or PTX.
#pragma once

#include "compiler/driver/Stage.h"
#include "dialect/image/KernelImage.h"
#include "dialect/image/Result.h"
#include "runtime/jit/launch/Jit.h"
#include "tools/tegula/command/Commands.h"

#include <optional>
#include <string>

namespace tegula::cli {

struct Input {
  std::string path; ///< as messages call it
  std::string text;
  std::optional<Stage> stage; ///< what the text is; nothing for a file of kernels
};

/// Reads the file, or standard input for "-". What it holds is what `--from` says, else what the first line
/// of the text says, as the texts of all stages do, else kernels. Errors: Io, InvalidArgument.
runtime::Result<Input> readInput(const KernelOptions &options);

/// The meaning of the imports of the file, by --import-path and -D. Errors: InvalidArgument.
runtime::Result<jit::ImportSearch> importsOf(const FileOptions &options);

/// The kernels of `input`, with what --import-path and -D say about the modules that they import. Errors:
/// InvalidArgument.
runtime::Result<std::shared_ptr<jit::JitProgram>> parseKernels(const FileOptions &options,
                                                               const Input &input);

/// Refuses the options that only a file of kernels takes, where `input` is something else. Errors:
/// InvalidArgument, with the first such option.
runtime::Result<void> checkOptions(const KernelOptions &options, const Input &input);

/// The kernel that the text of a stage or PTX becomes. Errors: Compile, InvalidArgument.
runtime::Result<KernelImage> imageOf(const Input &input);

} // namespace tegula::cli
