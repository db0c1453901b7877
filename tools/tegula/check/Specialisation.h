// The specialisation that a kernel of a file is checked for, where no command line says it, and why.
#pragma once

#include "compiler/driver/Compiler.h"
#include "compiler/guess/Guess.h"
#include "tools/tegula/check/CheckOptions.h"

#include <map>
#include <string>
#include <vector>

namespace tegula::cli {

/// The source of the value of a parameter, those that count more first.
enum class Origin : uint8_t {
  Comment,
  Docstring,
  Recorded,
  Launch,
  Config,
  Default,
  Annotation,
  Heuristic,
  Guess
};

struct Reason {
  Origin origin = Origin::Guess;
  uint32_t line = 0; ///< of the comment, the command or the launch; else 0
  bool operator==(const Reason &) const = default;
};
/// "comment in line 3", "config 0", "guessed".
std::string reasonText(const Reason &reason);

/// A specialisation with the reasons for it.
struct Specialisation {
  KernelSpec spec;
  /// By parameter. Those with a default that nothing else gives a value are there as Default, without one in
  /// `spec`.
  std::map<std::string, Reason> reasons;
  guess::KernelGuess guess;
  std::string grid;                 ///< where the comment or the command says one, else empty
  std::vector<Diagnostic> problems; ///< of the comment, and of configs and heuristics that cannot be read

  bool isGuessed(const std::string &parameter) const;
  bool hasGuesses() const;
  /// Returns the parameters of `kernel` that are guessed, in their order.
  std::vector<std::string> guessedOf(const KernelInfo &kernel) const;
};

/// Settles what `kernel` of `source` is checked for: by a comment `# tegula: NAME=VALUE ...` above it, by a
/// command in a docstring, by a recorded launch, by a launch in the file, by its first config, its defaults
/// and annotations, and by a guess for what is left.
Specialisation specialise(Compiler &compiler, const ParsedSource &source, const KernelInfo &kernel,
                          const CheckOptions &options);

/// Returns the type of the run-time parameter `name`, which `spec` has, as `--sig` spells it: "*fp32:16",
/// "i32=1".
std::string signatureText(const KernelSpec &spec, const std::string &name);

/// "x_ptr=*fp32:16 BLOCK=64": the values of `parameters`, as a comment says them.
std::string specialisationText(const KernelSpec &spec, const std::vector<std::string> &parameters);

} // namespace tegula::cli
