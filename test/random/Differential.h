// One kernel, run twice: by the reference interpreter, and compiled on the emulator. Between the two, what
// each stage made of it can be interpreted, so that a difference names the stage where it comes from.
#pragma once

#include "compiler/driver/Compiler.h"
#include "test/random/RandomKernel.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace tegula::random {

/// A difference between the two runs of a kernel.
struct Difference {
  enum Kind {
    Source, ///< the front end refuses the kernel, or the interpreter finds a fault: the generator's mistake,
            ///< or one of the two
    Compilation, ///< the stages behind the front end fail
    Emulation,   ///< the emulator finds a fault, or the GPU does
    Result,      ///< an element of an output differs
    Crash,       ///< the process died of it
    Stage,       ///< what a stage made means something else in the interpreter, or nothing
    Assembly,    ///< the assembler refuses the PTX
  } kind;
  std::string text;
};

/// Says what to compare with the interpreter; `plant` is for tests of the comparison itself.
struct Comparison {
  uint32_t schedules = 1; ///< runs on the emulator, each under another interleaving of warps and blocks
  std::string target = "sm_90a";
  bool onGpu = false;     ///< run on the first GPU instead
  bool stages = false;    ///< interpret as well what each stage before the lower one makes
  bool assembles = false; ///< give what is run to NVIDIA's assembler as well, where a machine has one
  std::function<void(std::string &ptx)> plant; ///< changes what is run on the emulator, where there is one
};

std::optional<Difference> compare(Compiler &compiler, const RandomKernel &kernel, const Comparison &how = {});

/// The bytes of each output, by its argument's name.
using Outputs = std::map<std::string, std::vector<uint8_t>>;

/// The elements of an argument as they lie in memory; of a number, the number.
std::vector<uint8_t> bytesOf(const Argument &argument);

/// Runs the kernel in the interpreter alone; returns why it cannot, or nothing and its `outputs`.
std::optional<Difference> interpretSource(Compiler &compiler, const RandomKernel &kernel, Outputs &outputs);

/// As `compare`, in a process of its own, so that what kills it is a difference too.
std::optional<Difference> compareIsolated(Compiler &compiler, const RandomKernel &kernel,
                                          const Comparison &how = {});

/// Returns the text of the kernel at `stage`, or the diagnostics of a failure.
std::string textOfStage(Compiler &compiler, const RandomKernel &kernel, tegula::Stage stage,
                        const Comparison &how = {});

using Comparer = std::function<std::optional<Difference>(const RandomKernel &)>;

/// A kernel with fewer and simpler statements that fails as `failure` says, by at most `attempts`
/// comparisons.
RandomKernel reduceKernel(const Comparer &comparer, RandomKernel kernel, const Difference &failure,
                          int attempts = 400);

/// Seed, source, launch and difference, for a person.
std::string describe(const RandomKernel &kernel, const Difference &difference);

} // namespace tegula::random
