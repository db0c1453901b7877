// Command lines of `tegula` in the text of a file of kernels: its docstrings say how its kernels are run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// A command, and the line of the text that it begins in.
struct DocumentedCommand {
  std::vector<std::string> words; ///< behind `tegula`
  uint32_t line = 0;              ///< from 0
};

/// Returns the command of each line of `text` that begins with `tegula run` or `tegula compile`, behind a
/// prompt or quotation marks perhaps, in their order. A backslash at the end of a line, which a plain string
/// escapes, joins the next one to it. Lines that no shell could read are left out.
std::vector<DocumentedCommand> documentedCommands(std::string_view text);

} // namespace tegula::cli
