// Options as other tools call them, for users who know those.
#pragma once

#include "tools/tegula/command/Options.h"

namespace tegula::cli {

/// An option and its names in other tools, without dashes.
struct OtherNames {
  std::string_view ours; ///< "--sig"
  std::vector<std::string_view> theirs;
};

/// The names of all subcommands' options; where two have a word in common, the first that a subcommand has is
/// meant.
std::span<const OtherNames> otherNames();

/// Returns the spelling of the option of `command` that other tools call `word`, or nothing.
std::string_view optionCalled(std::string_view word, const CommandTable &command);

} // namespace tegula::cli
