#include "tools/tegula/check/KernelCheck.h"

#include "compiler/driver/ParsedSource.h"
#include "runtime/jit/program/CompileError.h"
#include "tools/tegula/check/GuessSearch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace tegula::cli {

using jit::isError;

/// Returns true if the message says that only a running Python knows something: nothing is wrong with the
/// kernel.
static bool isOfRunning(const Diagnostic &diagnostic) {
  constexpr std::array<std::string_view, 4> says = {"which is not found", "and only one file is compiled",
                                                    "has no value when a kernel is compiled",
                                                    "which one holds is not known here"};
  return std::any_of(says.begin(), says.end(), [&](std::string_view part) {
    return diagnostic.message.find(part) != std::string::npos;
  });
}

/// Turns an error that rests on a guess into a warning that says so.
static Diagnostic underGuess(Diagnostic diagnostic, const Specialisation &specialisation,
                             std::vector<std::string> parameters) {
  // A message names the first; the comment wants no more of them than are to be put right.
  constexpr size_t shown = 4;
  if (parameters.size() > shown)
    parameters.resize(shown);
  diagnostic.severity = Severity::Warning;
  const std::string text = specialisationText(specialisation.spec, parameters);
  diagnostic.notes.push_back(
      {.severity = Severity::Note,
       .message =
           fmt::format("under the guess {}; say what it is in a comment above the kernel: `# tegula: {}`",
                       guessText(specialisation, parameters), text)});
  return diagnostic;
}

KernelCheck checkKernel(Compiler &compiler, const ParsedSource &source, const KernelInfo &kernel,
                        const CheckOptions &options) {
  KernelCheck check{
      kernel, specialise(compiler, source, kernel, options.target, options.readCommand), {}, {}};
  if (!check.specialisation.problems.empty()) {
    check.diagnostics = check.specialisation.problems;
    return check;
  }
  GuessSearch search(compiler, source, check.specialisation, options);
  search.run();
  check.remarks = std::move(search.remarks());
  for (Diagnostic &diagnostic : search.diagnostics()) {
    if (diagnostic.severity == Severity::Remark)
      continue; // what the kernel prints while it compiles
    const std::vector<std::string> resting =
        isError(diagnostic) ? search.restsOn(diagnostic) : std::vector<std::string>();
    if (isError(diagnostic) && isOfRunning(diagnostic)) {
      diagnostic.severity = Severity::Warning;
      check.diagnostics.push_back(std::move(diagnostic));
      continue;
    }
    check.diagnostics.push_back(resting.empty()
                                    ? std::move(diagnostic)
                                    : underGuess(std::move(diagnostic), check.specialisation, resting));
  }
  return check;
}

/// Returns true if what is wrong is a name, whatever the types are.
static bool isAboutName(const Diagnostic &diagnostic) {
  return isError(diagnostic) && diagnostic.message.starts_with("name `");
}

std::vector<Diagnostic> checkHelper(Compiler &compiler, const ParsedSource &source,
                                    const KernelInfo &function, const CheckOptions &options) {
  CompileOptions compile;
  compile.emit = {Stage::Tile};
  const Specialisation specialisation =
      specialise(compiler, source, function, options.target, options.readCommand);
  std::vector<Diagnostic> found = compiler.compile(source, specialisation.spec, compile).diagnostics;
  std::erase_if(found, [](const Diagnostic &diagnostic) { return !isAboutName(diagnostic); });
  return found;
}

} // namespace tegula::cli
