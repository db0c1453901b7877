// Options of each subcommand, as the command line gives them.
#pragma once

#include <string>
#include <vector>

namespace tegula::cli {

/// Options of the commands that read a file of kernels.
struct FileOptions {
  std::string file;                     ///< "-" is standard input
  std::vector<std::string> constexprs;  ///< -D NAME=VALUE, -D MODULE.NAME=VALUE
  std::vector<std::string> importPaths; ///< --import-path DIR
};

/// Options of both compile and run.
struct KernelOptions : FileOptions {
  std::string from;                    ///< --from: what the file holds; empty where its first line says it
  std::string kernel;                  ///< -k; empty where the file has one kernel
  std::string numWarps;                ///< --num-warps, else the config's, else 4
  std::string numStages;               ///< --num-stages, else the config's, else 3
  std::string numCtas;                 ///< --num-ctas, else the config's, else 1
  std::string config;                  ///< --config: a number or "tuned"; empty for none
  std::string without;                 ///< --without NAME[,NAME]...; empty for TEGULA_WITHOUT
  std::string tritonVersion;           ///< --triton-version; empty for TEGULA_TRITON_VERSION
  std::vector<std::string> externLibs; ///< --extern-lib NAME=FILE
  bool splitK = false;                 ///< --split-k, of compile: for the blocks of a cluster
  std::string report;                  ///< --report: empty for none, "text", "json" or a file's name
};

/// Options that say what a kernel is compiled for.
struct SpecOptions : KernelOptions {
  std::vector<std::string> signature; ///< --sig NAME=TYPE
};

/// Options of the commands that launch a kernel.
struct LaunchOptions {
  std::string grid;
  std::vector<std::string> arguments; ///< --arg NAME=VALUE
};

/// Options that say what a kernel is for, launched or only compiled.
struct SubjectOptions : SpecOptions, LaunchOptions {
  std::string arch; ///< --arch, else TEGULA_ARCH, else sm_90a
};

struct CompileCommand : SpecOptions {
  std::string arch; ///< --arch, else TEGULA_ARCH, else sm_90a
  std::string emit = "ptx";
  std::string output; ///< -o; empty for stdout
};

struct RunCommand : KernelOptions, LaunchOptions {
  std::string device; ///< --device, else TEGULA_DEVICE, else auto
  std::string seed = "0";
  std::vector<std::string> saves;  ///< --save NAME=OUT.npy
  std::vector<std::string> prints; ///< --print NAME
  std::string world;               ///< --world, ranks on the emulator; empty: the kernel runs on one device
};

struct ExplainCommand : SubjectOptions {
  std::string seed = "0";
  std::string line;   ///< --line: of the file; empty for the report
  std::string json;   ///< --json: a file to write, or "-"; empty for none
  std::string html;   ///< --html: a file to write, or "-"; empty for none
  std::string diff;   ///< --diff: what --json wrote before; empty for none
  std::string failOn; ///< --fail-on KIND[,KIND]...; empty for none
  std::string record; ///< --record, else TEGULA_RECORD
  bool measure = false;
};

/// The value of `--against` alone: what the kernel is compiled to.
inline constexpr const char *againstCompiled = "compiled";

struct DebugCommand : KernelOptions, LaunchOptions {
  std::string device; ///< --device interpret or emulator[:N]; empty: interpret
  std::string seed = "0";
  std::string program;               ///< --program X[,Y[,Z]]; empty for all
  std::string stops;                 ///< --stop nan,overflow; empty for these two
  std::vector<std::string> expects;  ///< --expect NAME=@REF.npy[,atol=A][,rtol=R]
  std::string against;               ///< --against[=FILE]: compare with the emulator; empty: no
  std::vector<std::string> commands; ///< --command; before those that are read
  std::string script;                ///< --script: a file of commands instead of standard input
};

struct TuneCommand : KernelOptions, LaunchOptions {
  std::string device; ///< --device, else TEGULA_DEVICE, else auto
  std::string seed = "0";
  std::string milliseconds = "100"; ///< --time
  bool again = false;               ///< whatever an earlier run chose
  bool json = false;
};

struct BenchCommand {
  std::vector<std::string> kernels; ///< names of the catalogue; empty for all
  bool list = false;                ///< print the catalogue
  std::vector<std::string> dtypes;  ///< --dtype
  std::vector<std::string> sizes;   ///< --n
  std::vector<std::string> shapes;  ///< --shape
  std::string random, seed = "1";   ///< --random, --seed; empty for the usual shapes
  std::string device;               ///< --device, else TEGULA_DEVICE, else auto
  std::string milliseconds = "100"; ///< --time
  bool again = false;               ///< try all configs, whatever an earlier run chose
  bool sweep = false;               ///< configs beyond those of the files
  std::vector<std::string> swept;   ///< --set NAME=VALUE,...
  bool dryRun = false;              ///< compile and say how each config is launched
  std::string beside;               ///< peers with commas between; empty for none
  bool errors = false;              ///< errors and PyTorch's instead of rates
  std::string rounds = "5", budget; ///< with --beside; without a budget no end
  std::string python = "python3";
  std::string check;                    ///< --check: the least ratio; empty for no check
  std::string csv, json, svg, markdown; ///< files to write; "-" is standard output
};

/// A line of a file of specialisations.
struct BundleLine : SpecOptions {
  std::string name;   ///< --name, else the kernel's
  std::string launch; ///< --launch cooperative, programmatic or both with a comma between
};

struct BundleCommand {
  std::vector<std::string> specs; ///< files
  std::string output;             ///< -o
  std::string archs;              ///< --arch A[,B]...; empty for what the specs say
  std::string c;                  ///< --c: OUT.h and OUT.o; empty for none
  bool ptx = false;               ///< --ptx: no machine code
  std::string jobs;               ///< --jobs; empty for as many as the machine has
};

struct ListCommand : FileOptions {
  bool json = false;
};

struct CheckCommand {
  std::vector<std::string> files;       ///< files and folders; "-" is standard input
  std::vector<std::string> constexprs;  ///< -D MODULE.NAME=VALUE
  std::vector<std::string> importPaths; ///< --import-path DIR
  std::string arch;                     ///< --arch, else TEGULA_ARCH, else sm_90a
  std::string to = "distributed";       ///< --to: the last stage
  bool notes = false;                   ///< --notes: missed optimisations too
  std::string record;                   ///< --record, else TEGULA_RECORD
  bool fix = false;                     ///< --fix: change files where that is certain
  bool json = false;
};

struct CacheCommand {
  std::string action; ///< list, verify, trim or clear
  std::string folder; ///< --dir, else TEGULA_CACHE_DIR, else where Python caches
  std::string limit;  ///< --limit; empty to leave it
  bool json = false;
};

} // namespace tegula::cli
