// Looks for a guess under which a kernel compiles, from one that fails: where the failure points at
// parameters that were guessed, these get the next best value, one after the other.
#pragma once

#include "tools/tegula/check/CheckOptions.h"
#include "tools/tegula/check/Specialisation.h"

namespace tegula::cli {

class GuessSearch {
public:
  /// `specialisation` is what to begin with, and changes to what was found best.
  GuessSearch(Compiler &compiler, const ParsedSource &source, Specialisation &specialisation,
              const CheckOptions &options)
      : compiler(compiler), source(source), specialisation(specialisation), options(options) {}

  void run();
  std::vector<Diagnostic> &diagnostics() { return best.diagnostics; }
  std::vector<Remark> &remarks() { return best.remarks; }

  /// Returns the guessed parameters that an error rests on; none where the text alone makes it one.
  std::vector<std::string> restsOn(const Diagnostic &error) const;

private:
  /// A change of the guess: a value for each of some parameters.
  using Move = std::vector<std::pair<std::string, guess::Choice>>;

  bool isStopped() const { return options.isStopped && options.isStopped(); }
  CompileResult compile(const KernelSpec &spec) const;
  /// The guessed parameters that are part of what stands in the lines of an error.
  std::vector<std::string> involvedIn(const Diagnostic &error) const;
  std::vector<Move> movesFor(const Diagnostic &error) const;
  /// Tries the moves that the first error points at; returns true if one was an improvement.
  bool improve();

  Compiler &compiler;
  const ParsedSource &source;
  Specialisation &specialisation;
  const CheckOptions &options;
  CompileResult best;
  unsigned attempts = 0;
};

/// "`x_ptr=*fp32:16` and `BLOCK=64`": guessed values for a message.
std::string guessText(const Specialisation &specialisation, const std::vector<std::string> &parameters);

} // namespace tegula::cli
