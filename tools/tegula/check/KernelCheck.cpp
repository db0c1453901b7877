#include "tools/tegula/check/KernelCheck.h"

#include "compiler/driver/ParsedSource.h"
#include "runtime/jit/program/CompileError.h"
#include "tools/tegula/check/GuessSearch.h"
#include "tools/tegula/check/SpecComment.h"

#include <fmt/format.h>

namespace tegula::cli {

using jit::isError;

/// The fix that says in a comment above the kernel all that is guessed of it.
static std::optional<Fix> commentFix(const ParsedSource &source, const KernelInfo &kernel,
                                     const Specialisation &specialisation) {
  const uint32_t line = firstLineOf(source, kernel);
  const std::vector<std::string> guessed = specialisation.guessedOf(kernel);
  if (!line || guessed.empty())
    return std::nullopt;
  const std::string_view indent = indentOf(source.file().lineText(line));
  const LineColumn place{line, 1};
  return Fix{source.file().path(),
             "say what the kernel is checked for",
             {{place, place,
               fmt::format("{}# tegula: {}\n", indent, specialisationText(specialisation.spec, guessed))}}};
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
  diagnostic.guessed = std::move(parameters);
  return diagnostic;
}

KernelCheck checkKernel(Compiler &compiler, const ParsedSource &source, const KernelInfo &kernel,
                        const CheckOptions &options) {
  KernelCheck check{kernel, specialise(compiler, source, kernel, options), {}, {}};
  check.diagnostics = check.specialisation.problems;
  if (jit::hasErrors(check.diagnostics))
    return check;
  GuessSearch search(compiler, source, check.specialisation, options);
  search.run();
  check.remarks = std::move(search.remarks());
  for (Diagnostic &diagnostic : search.diagnostics()) {
    if (diagnostic.severity == Severity::Remark)
      continue; // what the kernel prints while it compiles
    if (isError(diagnostic) && diagnostic.basis == Basis::Process)
      diagnostic.severity = Severity::Warning;
    const std::vector<std::string> resting =
        isError(diagnostic) ? search.restsOn(diagnostic) : std::vector<std::string>();
    if (!resting.empty()) {
      diagnostic = underGuess(std::move(diagnostic), check.specialisation, resting);
      if (std::optional<Fix> comment = commentFix(source, kernel, check.specialisation))
        diagnostic.fixes.push_back(std::move(*comment));
    }
    check.diagnostics.push_back(std::move(diagnostic));
  }
  return check;
}

std::vector<Diagnostic> checkHelper(Compiler &compiler, const ParsedSource &source,
                                    const KernelInfo &function, const CheckOptions &options) {
  CompileOptions compile;
  compile.emit = {Stage::Tile};
  const Specialisation specialisation = specialise(compiler, source, function, options);
  std::vector<Diagnostic> found = compiler.compile(source, specialisation.spec, compile).diagnostics;
  std::erase_if(found, [](const Diagnostic &one) { return !isError(one) || one.basis != Basis::Name; });
  return found;
}

} // namespace tegula::cli
