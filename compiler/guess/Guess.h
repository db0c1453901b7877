// Guesses what a kernel is launched with, where only its text is known: types of parameters and compile-time
// values, from how its text uses them and what they are called.
#pragma once

#include "compiler/driver/Compiler.h"
#include "compiler/guess/Choice.h"
#include "compiler/guess/Evidence.h"
#include "compiler/guess/Launches.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::guess {

/// Guesses for the parameters of one kernel.
struct KernelGuess {
  std::map<std::string, Guess> parameters; ///< by name; also of those that have a default
  Seen seen;
  std::vector<std::string> names; ///< of the parameters, in the numbering of `seen`
};

/// The definition of `kernel` in the file of `source`, or null.
const ast::FunctionStmt *functionOf(const ParsedSource &source, const KernelInfo &kernel);
/// A function, and the file that it is in.
struct FoundFunction {
  const ast::Module *module = nullptr;
  const ast::FunctionStmt *function = nullptr; ///< or null
};
/// The jit function that `name`, dotted or not, means at the top of the file, also one of a file that it
/// imports; none where it means something else.
FoundFunction jitFunction(const ParsedSource &source, std::string_view name);
/// Reads off the launches of `kernel` in its file what they pass.
std::map<std::string, Passed> passedTo(const ParsedSource &source, const KernelInfo &kernel);

/// Guesses for each parameter of `kernel`, which is in the file of `source`. `passed` is what the file's own
/// launches show; of these the element types of arrays count.
KernelGuess guessKernel(const ParsedSource &source, const KernelInfo &kernel,
                        const std::map<std::string, Passed> &passed);

} // namespace tegula::guess
