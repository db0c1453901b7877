// The commands that a lens on the `def` of a kernel offers: a page that explains it, and a launch to debug.
#pragma once

#include "tools/tegula/lsp/Analysis.h"
#include "tools/tegula/lsp/commands/Pages.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace tegula::cli {

/// Names of the commands. Each takes one argument, `{"uri": DOCUMENT, "kernel": NAME}`.
inline constexpr const char *explainLensCommand = "tegula.explain", *debugLensCommand = "tegula.debug";

/// The lenses with the commands for `kernel`, at `range`.
llvm::json::Array commandLenses(const Analysis &analysis, const std::string &kernel,
                                const llvm::json::Value &range);

/// The kernel that a command is about.
struct KernelAddress {
  std::string uri, kernel;
};
/// Reads the parameters of `workspace/executeCommand`; nothing where they name no kernel.
std::optional<KernelAddress> kernelAddress(const llvm::json::Object &params);

/// The page that explains a kernel of the text that the editor has, by the launches in the file `record` too
/// where one is named. `made` is left empty.
PageOrder explainOrder(const Analysis &analysis, const std::string &kernel, const std::string &record);

/// The configuration with which a client of `tegula dap` launches a kernel; `guessed` are the parameters that
/// its user should look at first. Errors: those of `debugCommandOf`; InvalidArgument for what is no file.
runtime::Result<llvm::json::Object> debugConfiguration(const Analysis &analysis, const KernelCheck &check,
                                                       const ReadCommand &readCommand);

/// "tegula debug add.py -k add ...": the same for a terminal, in the folder of the file.
std::string debugLine(const llvm::json::Object &configuration);

} // namespace tegula::cli
