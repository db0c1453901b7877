// Compile-time values for the parameters that need one, from what was seen of them and their names.
#pragma once

#include "compiler/driver/Compiler.h"
#include "compiler/guess/Choice.h"
#include "compiler/guess/Evidence.h"
#include "compiler/guess/Types.h"

namespace tegula::guess {

class Constants {
public:
  Constants(const ParsedSource &source, const KernelInfo &kernel, const Seen &seen, const Types &types);

  /// A value for the parameter of this number, which takes one when compiling.
  Guess guess(unsigned parameter) const;

private:
  std::optional<Guess> special(unsigned parameter) const;
  std::optional<Guess> byUse(unsigned parameter) const;
  Guess byName(const std::string &name) const;
  Guess block(const std::string &name, const Evidence &evidence) const;
  Guess function() const;

  const ParsedSource &source;
  const KernelInfo &kernel;
  const Seen &seen;
  const Types &types;
  size_t blocks = 0; ///< parameters that are sides of blocks
};

} // namespace tegula::guess
