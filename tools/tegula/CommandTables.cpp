#include "tools/tegula/CommandTables.h"

#include "compiler/driver/Stage.h"
#include "compiler/spec/DefaultTarget.h"
#include "compiler/spec/Feature.h"
#include "compiler/spec/LanguageVersion.h"
#include "compiler/target/Target.h"
#include "tools/insight/Document.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace tegula::cli {

static std::vector<std::string> namesOf(const auto &described) {
  std::vector<std::string> names;
  for (const auto &one : described)
    names.emplace_back(one.name);
  return names;
}

static std::vector<std::string> stageNames() {
  std::vector<std::string> names;
  for (int stage = 0; stage <= int(Stage::Ptx); ++stage)
    names.emplace_back(stageName(Stage(stage)));
  names.push_back("cubin"); // of an assembler
  names.push_back("sass");  // of the toolkit
  return names;
}

static std::string withoutHelp() {
  std::string known;
  for (const FeatureInfo &feature : allFeatures())
    known += fmt::format("`{}`, {}; ", feature.name, feature.meaning);
  return fmt::format("do not use {}several with commas between", known);
}

Option colourOption(CommandValues &values) {
  return choiceOption("--color", "WHEN", "colour of messages: auto (on a terminal), always or never",
                      &values.colour, {"auto", "always", "never"});
}

static Positional inputFile(KernelOptions &options) {
  return {"FILE",
          "file of kernels, or the text of a stage or PTX as compile prints it; `-` is standard input",
          &options.file, true};
}

/// The option that says where to look for the file's imports.
static Option importPathOption(FileOptions &options) {
  return fileOption(
      "--import-path", "DIR",
      "folder in which imported modules are looked for, after that of FILE and its packages; may be repeated",
      &options.importPaths);
}

std::vector<Option> launchOptions(LaunchOptions &options, const std::string &meaningOfNames) {
  return {{"--grid", "X[,Y[,Z]]", "programs in x, y and z: numbers, or expressions " + meaningOfNames,
           &options.grid},
          {"--arg", "NAME=VALUE", "argument: a number or an array; may be repeated", &options.arguments}};
}

Option fromOption(KernelOptions &options) {
  return choiceOption("--from", "STAGE",
                      "what FILE holds, where its first line does not say it: kernels, tile, distributed, "
                      "scheduled, llvm or ptx",
                      &options.from, {"kernels", "tile", "distributed", "scheduled", "llvm", "ptx"});
}

std::vector<Option> kernelOptions(KernelOptions &options) {
  return {
      {.name = "-k",
       .value = "KERNEL",
       .help = "the kernel, where the file has several",
       .target = &options.kernel,
       .otherName = "--kernel"},
      {"-D", "NAME=VALUE",
       "compile-time value: a number, true, false, None, a type, a string, a tuple, a jit function of the "
       "file as @FUNCTION (without @ where the kernel calls it); MODULE.NAME is a name of an imported "
       "module, MODULE.NAME() what it gives, os.environ.NAME a variable of the environment; may be repeated",
       &options.constexprs},
      importPathOption(options),
      {"--config", "N",
       "take the values of the N-th `triton.Config` of the kernel, from 0; with run also `tuned`: of the one "
       "that `tegula tune` chose for such arguments",
       &options.config},
      choiceOption("--num-warps", "N", "warps of 32 threads in a block: 1, 2, 4, 8, 16 or 32 (4)",
                   &options.numWarps, {"1", "2", "4", "8", "16", "32"}),
      {"--num-stages", "N", "stages of pipelined loops (3)", &options.numStages},
      choiceOption(
          "--num-ctas", "N",
          "blocks of a cluster that share each program's loop of products or long rows: 1, 2, 4 or 8",
          &options.numCtas, {"1", "2", "4", "8"}),
      {"--without", "FEATURE", withoutHelp(), &options.without, namesOf(allFeatures())},
      {"--extern-lib", "NAME=FILE",
       "LLVM bitcode with functions that the kernel calls by `tl.core.extern_elementwise`; may be repeated",
       &options.externLibs},
      {"--triton-version", "VERSION",
       fmt::format("the version of Triton whose meaning the kernel has where versions differ ({})",
                   defaultLanguageVersion().name),
       &options.tritonVersion, namesOf(allLanguageVersions())},
  };
}

static Option reportOption(KernelOptions &options, std::string what, std::string where) {
  return choiceOption(
      "--report", "FORM",
      fmt::format("print {}, as text or as json, to {}; a name that ends in .json is a file to write", what,
                  where),
      &options.report, {"text", "json"}, "text");
}

static Option signatureOption(SpecOptions &options) {
  return {"--sig", "NAME=TYPE", "type of a parameter, and facts about it; may be repeated",
          &options.signature};
}

static CommandTable compileTable(CommandValues &values) {
  CompileCommand &command = values.compile;
  CommandTable table{
      .name = "compile", .summary = "compile a kernel and print a stage of it", .needed = "FILE"};
  table.positionals = {inputFile(command)};
  table.options = {signatureOption(command), fromOption(command)};
  llvm::append_range(table.options, kernelOptions(command));
  table.options.push_back({"--split-k", "",
                           "for the blocks of a cluster, which share out a loop that adds up products: the "
                           "code that a launch of few programs asks for by itself",
                           &command.splitK});
  table.options.push_back(
      {"--arch", "ARCH",
       fmt::format("architecture: {} ({})", fmt::join(namesOf(allTargets()), ", "), DefaultTarget),
       &command.arch, namesOf(allTargets())});
  table.options.push_back({"--emit", "STAGE",
                           fmt::format("stage to print: {} (ptx); cubin is machine code, by nvJitLink, ptxas "
                                       "or the driver; sass is its text, where a CUDA toolkit is installed",
                                       fmt::join(stageNames(), ", ")),
                           &command.emit, stageNames()});
  table.options.push_back(
      fileOption("-o", "OUT", "file to write instead of standard output", &command.output));
  table.options.push_back(reportOption(command, "what was optimised and what was not", "standard error"));
  table.options.push_back(colourOption(values));
  table.details =
      "A TYPE is spelled as Triton spells it:\n"
      "  *fp32      a pointer; also to bf16, fp16, fp64, fp8e4nv, fp8e5, fp8e4b8, fp8e5b16, fp8e4b15,\n"
      "             i1 to i64, u8 to u64\n"
      "  *fp32:16   a pointer aligned to 16 bytes\n"
      "  i32:16     an integer that 16 divides\n"
      "  i32+       a signed integer that is not negative; also i32:16+\n"
      "  i32=1      the integer 1, known when the kernel is compiled\n"
      "  tensordesc<fp16[64,32]>   a tensor descriptor with blocks of 64 by 32; NAME.base, NAME.shape[0]\n"
      "             and NAME.strides[0] may have types of their own; with ,nan behind the block what\n"
      "             lies outside of the array is NaN\n"
      "  (*fp32:16, i32)   a tuple of such; Point(x=*fp32:16, n=i32) is one whose items have names";
  table.examples = {
      {"tegula compile kernels/vector_add.py -D BLOCK_SIZE=1024 --sig 'x_ptr=*fp32:16' --sig "
       "'y_ptr=*fp32:16' --sig 'out_ptr=*fp32:16' --sig n=i32:16",
       "PTX for sm_90a"},
      {"tegula compile kernels/softmax.py -k softmax_kernel --config=0 --emit=tile ...",
       "the tile IR of a kernel, in its first config"},
      {"tegula compile kernel.mlir --emit=scheduled",
       "a later stage from the text of an earlier one, which --emit printed and you may have changed"},
  };
  table.work = [&command] { return compileCommand(command); };
  return table;
}

CommandTable bundleLineTable(BundleLine &line) {
  CommandTable table{.name = "line", .summary = "what to compile"};
  table.positionals = {{"FILE", "file of kernels", &line.file, true}};
  table.options = {signatureOption(line),
                   {"--name", "NAME", "what the kernel is called in C", &line.name},
                   {"--launch", "WORD", "what a launch asks for: cooperative, programmatic", &line.launch}};
  llvm::append_range(table.options, kernelOptions(line));
  return table;
}

static CommandTable bundleTable(CommandValues &values) {
  BundleCommand &command = values.bundle;
  CommandTable table{.name = "bundle",
                     .summary = "compile kernels ahead of time into one file",
                     .needed = "SPECS... -o OUT.tgb"};
  table.positionals = {{"SPECS",
                        "files that say what to compile: recorded by TEGULA_RECORD, or written by hand",
                        &command.specs, true}};
  table.options = {
      fileOption("-o", "OUT.tgb", "file to write", &command.output),
      {"--arch", "ARCH[,ARCH]...", "architectures, instead of those of the recorded kernels", &command.archs,
       namesOf(allTargets())},
      fileOption("--c", "OUT",
                 "write OUT.h with a C function for each kernel, and OUT.o, which has the kernels",
                 &command.c),
      {"--ptx", "", "PTX alone, without machine code, which is the same on every machine", &command.ptx},
      {"--jobs", "N", "kernels compiled side by side (as many as there are processors)", &command.jobs},
      colourOption(values),
  };
  table.details = "A line of SPECS is one that TEGULA_RECORD=FILE has written, or has what compile takes:\n"
                  "  vector_add.py -D BLOCK_SIZE=1024 --sig 'x_ptr=*fp32:16' ... --name add\n"
                  "Its FILE is looked for in the folder of SPECS, and its further options are\n"
                  "  --name NAME       what the function in C is called; lines of one name are variants of "
                  "it, of which a\n"
                  "                    launch takes the most specific whose facts hold\n"
                  "  --launch WORDS    cooperative, programmatic, or both with a comma between\n"
                  "Machine code is made where an assembler is found; the PTX is kept as well.";
  table.examples = {
      {"TEGULA_RECORD=specs.jsonl python3 serve.py && tegula bundle specs.jsonl -o kernels.tgb",
       "what a run needed, for `tegula.load_bundle`"},
      {"tegula bundle specs.txt --arch=sm_80,sm_90a --c=kernels", "kernels for a C program"},
  };
  table.work = [&command] { return bundleCommand(command); };
  return table;
}

static CommandTable runTable(CommandValues &values) {
  RunCommand &command = values.run;
  CommandTable table{
      .name = "run", .summary = "compile a kernel and run it", .needed = "FILE --grid=X[,Y[,Z]]"};
  table.positionals = {inputFile(command)};
  table.options = launchOptions(command, "such as cdiv(n, BLOCK)");
  table.options.push_back(fromOption(command));
  llvm::append_range(table.options, kernelOptions(command));
  const std::vector<Option> rest = {
      choiceOption("--device", "DEVICE",
                   "auto, cuda, cuda:N, emulator, emulator:N (N random schedules) or interpret (auto)",
                   &command.device, {"auto", "cuda", "emulator", "interpret"}),
      {"--seed", "N", "seed of the random arrays, from 0 (0)", &command.seed},
      {"--world", "N",
       "run the kernel on N ranks side by side, which may signal to each other, on the emulator",
       &command.world},
      {"--save", "NAME=OUT.npy", "write an array after the run; may be repeated", &command.saves},
      {"--print", "NAME", "print an array after the run; may be repeated", &command.prints},
      reportOption(command, "what each source line cost on the emulator, or the registers on a GPU",
                   "standard output"),
      colourOption(values),
  };
  llvm::append_range(table.options, rest);
  table.details =
      "The VALUE of an argument:\n"
      "  1000  1e-5  1000:i64  true  none   a number, with a type of its own after a colon\n"
      "  randn:fp32[1000]                   normal random numbers; rand: uniform from 0 to 1\n"
      "  randint(0,9):i32[8]                whole random numbers, both ends included\n"
      "  zeros:T[8]  full(1.5):T[8]  arange:T[8]  empty:T[8]\n"
      "  @in.npy  @in.npy:bf16              a file; NumPy has no bf16 and fp8, words are taken for them\n"
      "  randn:fp32[1001]+1  @in.npy+1      the kernel gets the address of element 1\n"
      "  randn:fp16[512,256]/[64,32]        a tensor descriptor with blocks of 64 by 32\n"
      "  randn:fp16[512,256]/[64,32]:nan    one that reads NaN outside of the array\n"
      "  (randn:fp32[8], 3)                 a tuple of such, saved and printed by NAME[0]; with names it is\n"
      "                                     Point(x=randn:fp32[8], n=3)\n"
      "On the emulator:\n"
      "  emulator                           blocks run in their natural order; bounds, undefined values and "
      "races of\n"
      "                                     threads, and of stores between programs, are checked\n"
      "  emulator:5                         each launch runs in five random orders, and a load of what "
      "another\n"
      "                                     program stores without order between the two is an error, too\n"
      "With --world=N:\n"
      "  symm:randn:fp32[1000]              an array of each rank that all may touch: a table of their "
      "addresses is\n"
      "                                     passed; arrays without `symm:` are the same on all ranks, and "
      "each rank's own\n"
      "  pads  rank  world                  a table of the ranks' pads of signals; numbers\n"
      "  --save out=FILE.npy                {rank} in the name of the file becomes the number of the rank";
  table.examples = {
      {"tegula run kernels/vector_add.py --grid=4 -D BLOCK_SIZE=1024 --arg x_ptr=randn:fp32[4096] --arg "
       "y_ptr=randn:fp32[4096] --arg out_ptr=zeros:fp32[4096] --arg n=4096 --print out_ptr",
       "run a kernel on the best device, and print what it made"},
      {"tegula run kernels/vector_add.py --device=emulator:5 --report ...",
       "look for races in five random schedules, and count what each line costs"},
      {"tegula run kernels/all_reduce.py -k all_reduce_in_place_kernel --world=4 --grid=2 --arg "
       "buffers=symm:randn:bf16[4096] --arg pads=pads --arg rank=rank ...",
       "run a kernel on four ranks, and look for what orders are missing between them"},
      {"tegula run kernel.ptx --grid=4 --arg x_ptr=randn:fp32[4096] ...",
       "run PTX that compile printed: its first lines say how to launch it"},
  };
  table.work = [&command] { return runCommand(command); };
  return table;
}

CommandTable launchTable(ExplainCommand &command) {
  CommandTable table{
      .name = "explain", .summary = "explain what a kernel costs, line by line", .needed = "FILE"};
  table.positionals = {{"FILE", "file of kernels; `-` is standard input", &command.file, true}};
  table.options = launchOptions(command, "such as cdiv(n, BLOCK)");
  table.options.push_back(signatureOption(command));
  llvm::append_range(table.options, kernelOptions(command));
  for (Option &option : table.options)
    if (option.name == "--config") {
      option.help = "take the values of the N-th `triton.Config` of the kernel, from 0; or `all`: say what "
                    "each of them takes";
      option.choices = {"all"};
    }
  table.options.push_back(
      {"--arch", "ARCH",
       fmt::format("architecture: {} ({})", fmt::join(namesOf(allTargets()), ", "), DefaultTarget),
       &command.arch, namesOf(allTargets())});
  table.options.push_back({"--seed", "N", "seed of the random arrays, from 0 (0)", &command.seed});
  return table;
}

static CommandTable explainTable(CommandValues &values) {
  ExplainCommand &command = values.explain;
  CommandTable table = launchTable(command);
  const std::vector<Option> rest = {
      {"--line", "N", "all that is known of a line of FILE, instead of the report", &command.line},
      fileOption("--json", "OUT", "write all of it as JSON; `-` is standard output", &command.json),
      fileOption("--html", "OUT", "write a page that shows all of it, for a browser; `-` is standard output",
                 &command.html),
      fileOption("--diff", "OTHER.json", "what differs from that, which --json wrote before", &command.diff),
      {"--fail-on", "KIND[,KIND]...",
       fmt::format("exit with 1 where there is one of: {}", fmt::join(explain::findingNames(), ", ")),
       &command.failOn, explain::findingNames()},
      fileOption("--record", "FILE", "launches that TEGULA_RECORD has written (the file that it names)",
                 &command.record),
      {"--measure", "", "also measure launches, on a GPU", &command.measure},
      colourOption(values),
  };
  llvm::append_range(table.options, rest);
  table.details =
      "With --arg and --grid, as `tegula run` takes them, the kernel runs on the emulator, which counts what "
      "each\n"
      "instruction costs; with --sig, as `tegula compile` takes it, it is compiled alone. Without any of "
      "these the\n"
      "options are those of the first `tegula run` or `tegula compile` line in the text of FILE that is "
      "about the\n"
      "kernel, and where there is none the kernel is compiled for what `tegula check` checks it for; -D,\n"
      "--num-warps, --num-stages and --config given here come before both.\n"
      "Nothing here is a predicted time: counts are counts.";
  table.examples = {
      {"tegula explain kernels/strided_copy.py", "what costs more than it must, why, and what to change"},
      {"tegula explain kernels/decode.py --config=all", "which configs fit on a multiprocessor how often"},
      {"tegula explain kernel.py --json=before.json; tegula explain kernel.py --diff=before.json",
       "what a change of the file has changed"},
      {"tegula explain kernel.py --fail-on=conflicts,uncoalesced,spills",
       "a check for continuous integration"},
  };
  table.work = [&command] { return explainCommand(command); };
  return table;
}

static CommandTable tuneTable(CommandValues &values) {
  TuneCommand &command = values.tune;
  CommandTable table{.name = "tune",
                     .summary = "measure the configs of a kernel on a device",
                     .needed = "FILE --grid=X[,Y[,Z]]"};
  table.positionals = {inputFile(command)};
  table.options = launchOptions(command, "of arguments and configs");
  for (Option &option : kernelOptions(command))
    if (option.name == "-k" || option.name == "-D" || option.name == "--import-path")
      table.options.push_back(std::move(option));
  const std::vector<Option> rest = {
      choiceOption("--device", "DEVICE",
                   "auto, cuda, cuda:N or emulator, whose times say nothing of a GPU (auto)", &command.device,
                   {"auto", "cuda", "emulator"}),
      {"--time", "MS", "milliseconds of launches to measure for each config (100)", &command.milliseconds},
      {"--seed", "N", "seed of the random arrays, from 0 (0)", &command.seed},
      {"--again", "", "measure, even where an earlier run has chosen", &command.again},
      {"--json", "", "as JSON", &command.json},
      colourOption(values),
  };
  llvm::append_range(table.options, rest);
  table.details =
      "Each config is measured with cold caches, on the same arrays. One that does not compile, or needs\n"
      "more than the device has, is skipped; one that faults is named, and the others go on. The choice is\n"
      "kept in TEGULA_CACHE_DIR or, without that, where Python caches: it is the answer when the same is\n"
      "asked again, and `tegula run --config=tuned` takes it.";
  table.examples = {
      {"tegula tune kernels/matmul.py -k matmul_kernel --grid='cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)' ...",
       "which of a product's configs is the fastest for these arguments"},
  };
  table.work = [&command] { return tuneCommand(command); };
  return table;
}

static CommandTable listTable(CommandValues &values) {
  ListCommand &command = values.list;
  CommandTable table{.name = "list",
                     .summary = "list the kernels of a file, their parameters and configs",
                     .needed = "FILE"};
  table.positionals = {{"FILE", "file of kernels; `-` is standard input", &command.file, true}};
  table.options = {{"-D", "MODULE.NAME=VALUE", "value of a name of an imported module; may be repeated",
                    &command.constexprs},
                   importPathOption(command),
                   {"--json", "", "as JSON", &command.json},
                   colourOption(values)};
  table.examples = {{"tegula list kernels/matmul.py", "what may stand behind -k, --sig, -D and --config"}};
  table.work = [&command] { return listCommand(command); };
  return table;
}

static CommandTable checkTable(CommandValues &values) {
  CheckCommand &command = values.check;
  CommandTable table{.name = "check",
                     .summary = "look for errors in kernels, whatever they are launched with",
                     .needed = "FILE..."};
  table.positionals = {
      {"FILE", "files of kernels, and folders of such; `-` is standard input", &command.files, true}};
  table.options = {
      {"--notes", "", "say which optimisations were missed, too", &command.notes},
      fileOption("--record", "FILE", "launches that TEGULA_RECORD has written (the file that it names)",
                 &command.record),
      {"--fix", "", "change the files where it is certain what is meant, and tell what is left",
       &command.fix},
      choiceOption(
          "--to", "STAGE",
          "the last stage to compile to: tile, distributed, scheduled, llvm, llvmir or ptx (distributed)",
          &command.to, {"tile", "distributed", "scheduled", "llvm", "llvmir", "ptx"}),
      {"--arch", "ARCH", fmt::format("architecture ({})", DefaultTarget), &command.arch,
       namesOf(allTargets())},
      {"-D", "MODULE.NAME=VALUE", "value of a name of an imported module; may be repeated",
       &command.constexprs},
      fileOption(
          "--import-path", "DIR",
          "folder in which imported modules are looked for, after those of a file's own; may be repeated",
          &command.importPaths),
      {"--json", "", "as JSON", &command.json},
      colourOption(values)};
  table.details =
      "A kernel is checked for what the first of these says of each parameter:\n"
      "  a comment above it     # tegula: x_ptr=*fp32:16 n=i32 BLOCK=1024 num_warps=8\n"
      "  a command `tegula run` or `tegula compile` in a docstring\n"
      "  the last launch of it that TEGULA_RECORD has written\n"
      "  a launch in the file   kernel[grid](x, y, n, BLOCK=1024)\n"
      "  its first config, its defaults, its annotations\n"
      "  a guess, from what the kernel does with the parameter and what it is called\n"
      "What is wrong under a guess alone is a warning. The exit status is 1 where there is an error.";
  table.examples = {{"tegula check kernels", "all kernels below a folder"},
                    {"tegula check --json kernel.py", "for an editor or another program"}};
  table.work = [&command] { return checkCommand(command); };
  return table;
}

static CommandTable cacheTable(CommandValues &values) {
  CacheCommand &command = values.cache;
  CommandTable table{.name = "cache",
                     .summary = "list, verify, trim or clear the kernels kept for later runs",
                     .needed = "list|verify|trim|clear"};
  table.positionals = {{"ACTION",
                        "list: what is kept, the last used first; verify: whether each file is whole; trim: "
                        "remove what is not, and the least recently used beyond the limit; clear: remove all",
                        &command.action,
                        false,
                        true,
                        {"list", "verify", "trim", "clear"}}};
  table.options = {
      fileOption("--dir", "FOLDER",
                 "the folder, instead of TEGULA_CACHE_DIR or, without that, the one where Python caches",
                 &command.folder),
      {"--limit", "SIZE", "with trim: what the folder may hold from now on, 512M or 2G (1G)", &command.limit},
      {"--json", "", "with list: as JSON", &command.json},
      colourOption(values),
  };
  table.examples = {{"tegula cache list", "what is kept"},
                    {"tegula cache trim --limit=256M", "keep no more than that, now and later"}};
  table.work = [&command] { return cacheCommand(command); };
  return table;
}

std::vector<CommandTable> commandTables(CommandValues &values) {
  std::vector<CommandTable> tables{compileTable(values), runTable(values),    explainTable(values),
                                   debugTable(values),   dapTable(values),    tuneTable(values),
                                   benchTable(values),   bundleTable(values), listTable(values),
                                   checkTable(values),   cacheTable(values)};
  tables.push_back({.name = "env",
                    .summary = "print what was found: driver, devices, assembler, toolkit, cache, versions",
                    .options = {colourOption(values)},
                    .work = envCommand});
  tables.push_back(
      {.name = "completion",
       .summary = "print a shell's script for completion: bash, zsh or fish",
       .needed = "SHELL",
       .positionals = {{"SHELL", "bash, zsh or fish", &values.shell, false, true, {"bash", "zsh", "fish"}}},
       .examples = {{"source <(tegula completion bash)", "complete in this shell"}}});
  tables.push_back({.name = "mcp",
                    .summary = "serve list, check, explain, compile, run and debug to programs that write "
                               "kernels, by the Model Context Protocol on standard input and output",
                    .options = {colourOption(values)}});
  tables.push_back({.name = "man",
                    .summary = "print the manual page",
                    .examples = {{"tegula man | man -l -", "read it"}}});
  tables.push_back(
      {.name = "help",
       .summary = "print help, in general or on a command",
       .needed = "[COMMAND]",
       .positionals = {{"COMMAND", "a command of tegula", &values.subject, false, false, namesOf(tables)}}});
  return tables;
}

const CommandTable *findCommand(std::span<const CommandTable> commands, std::string_view name) {
  for (const CommandTable &command : commands)
    if (command.name == name)
      return &command;
  return nullptr;
}

int failUsage(const std::string &text, std::string_view command) {
  CommandValues values;
  const std::vector<CommandTable> commands = commandTables(values);
  const CommandTable *table = findCommand(commands, command);
  say(fmt::format("error: {}\n{}`tegula {} --help` has the options\n", text, table ? usageLine(*table) : "",
                  command));
  return UsageWrong;
}

} // namespace tegula::cli
