#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"

#include "llvm/ADT/STLExtras.h"

namespace tegula::cli {

CommandTable debugTable(CommandValues &values) {
  DebugCommand &command = values.debug;
  CommandTable table{.name = "debug",
                     .summary = "stop a launch where it goes wrong, and look around",
                     .needed = "FILE --grid=X[,Y[,Z]]"};
  table.positionals = {
      {"FILE", "file of kernels; on the emulator also PTX or the text of a stage", &command.file, true}};
  table.options = launchOptions(command, "such as cdiv(n, BLOCK)");
  table.options.push_back(fromOption(command));
  llvm::append_range(table.options, kernelOptions(command));
  const std::vector<Option> rest = {
      choiceOption("--device", "DEVICE",
                   "interpret, the tile level: statements of whole tensors; emulator, or emulator:N (N "
                   "random schedules), the thread level: PTX, warps, registers (interpret)",
                   &command.device, {"interpret", "emulator"}),
      {"--seed", "N", "seed of the random arrays, from 0 (0)", &command.seed},
      {"--program", "X[,Y[,Z]]", "the only program to stop in; the others run through", &command.program},
      choiceOption(
          "--stop", "WHAT",
          "what to stop at besides faults, with commas between: nan, a NaN or infinity that is made of other "
          "values; overflow, a sum, difference or product of 32 bits that does not fit, where an address is "
          "computed from it; wrap, one of integers of any width that does not fit its type, element by "
          "element, which hashes do on purpose; all of these, or none (nan,overflow)",
          &command.stops, {"nan", "overflow", "wrap", "all", "none"}),
      {"--expect", "NAME=ARRAY[,atol=A][,rtol=R]",
       "how an array should be when the launch is done, such as @ref.npy: `continue` goes to the statement "
       "that writes the first wrong element; may be repeated. An element may be off by A + R times what is "
       "expected. Where it is not said, R is 64 units in the last place of fp32 and fp64 (7.6e-6, 1.4e-14), "
       "2 of narrower floats (0.002 of fp16, 0.016 of bf16), and at least 2 of what the kernel multiplies as "
       "matrices (0.002 of fp16 and tf32); A is R times the root mean square of ARRAY. Both are 0 for "
       "integers",
       &command.expects},
      fileOption("--against", "FILE",
                 "compare each store with what the emulator makes of the compiled kernel, but for rounding, "
                 "and then the arrays: `continue` goes to the first statement that stores something else; "
                 "with a file, of PTX that `tegula compile` made and that may be edited",
                 &command.against, againstCompiled),
      {"--command", "TEXT", "a command to begin with; may be repeated", &command.commands},
      fileOption("--script", "FILE", "read commands from a file instead of standard input", &command.script),
      colourOption(values),
  };
  llvm::append_range(table.options, rest);
  table.details =
      "The launch runs on the interpreter, program after program, a statement at a time; arguments are "
      "written as\n"
      "`tegula run` takes them. It stops at faults (out of bounds, undefined values, failed assertions) and "
      "at what\n"
      "--stop says. Commands are read from standard input; `help` lists them. Whatever is read, the debugger "
      "goes on.\n"
      "On the emulator blocks run in their natural order; with emulator:5 in five random orders, where a "
      "load of what another\nprogram stores without order between the two is a fault, too.";
  table.examples = {
      {"tegula debug kernel.py --grid=8 --arg x=randn:fp32[1000] --arg out=@bad.npy --expect out=@ref.npy "
       "...",
       "which statement writes the first wrong element"},
      {"tegula debug kernel.py --against --command=continue ... </dev/null",
       "where the compiled kernel and its meaning part"},
  };
  table.work = [&command] { return debugCommand(command); };
  return table;
}

CommandTable dapTable(CommandValues &values) {
  CommandTable table{.name = "dap",
                     .summary =
                         "debug from an editor: the Debug Adapter Protocol on standard input and output"};
  table.options = {colourOption(values)};
  table.details = "`launch` takes `args`, a list of the words that `tegula debug` takes: [\"kernel.py\", "
                  "\"--grid=4\", ...], `cwd`,\n"
                  "and `stopOnEntry`.";
  table.work = dapCommand;
  return table;
}

} // namespace tegula::cli
