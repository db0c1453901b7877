// The work of the subcommands.
#pragma once

#include "tools/tegula/check/CheckOptions.h"
#include "tools/tegula/check/DocLines.h"
#include "tools/tegula/command/Commands.h"

namespace tegula::cache {
class Store;
} // namespace tegula::cache

namespace tegula::cli {

/// Each returns an exit status and has printed what there was to say.
int compileCommand(const CompileCommand &command);
int runCommand(const RunCommand &command);
int explainCommand(const ExplainCommand &command);
int debugCommand(const DebugCommand &command);
/// Speaks the Debug Adapter Protocol on standard input and output.
int dapCommand();
int tuneCommand(const TuneCommand &command);
int benchCommand(const BenchCommand &command);
int bundleCommand(const BundleCommand &command);
int listCommand(const ListCommand &command);
int checkCommand(const CheckCommand &command);
int cacheCommand(const CacheCommand &command);
int envCommand();

/// Reads the words of a command that compiles or runs, as a docstring shows it; nothing where they are
/// another.
std::optional<LaunchWords> readDocCommand(std::span<const std::string> words);

/// Options of a check for the architecture `arch`, by the launches in the file `record` too; where these are
/// empty, for the usual one and by those that TEGULA_RECORD names. Errors: InvalidArgument; Io for a file
/// that is named.
runtime::Result<CheckOptions> checkOptionsOf(const std::string &arch, const std::string &record);

/// "/home/me/.cache/tegula, 3 entries, 1.5 MiB of 1 GiB"
std::string cacheSummary(const cache::Store &store);

/// Parses the command line and runs the subcommand.
int tegulaMain(int argc, char **argv);
/// `tegula-opt` and `tegula-lsp`, which are other names of the same executable.
int optMain(int argc, char **argv);
int lspMain(int argc, char **argv);

} // namespace tegula::cli
