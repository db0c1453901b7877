// Command lines of `tegula` in the text of a file of kernels: its docstrings say how its kernels are run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// Returns the words behind `tegula` of each line of `text` that begins with `tegula run` or `tegula
/// compile`, in their order. A backslash at the end of a line, which a plain string escapes, joins the next
/// one to it. Lines that no shell could read are left out.
std::vector<std::vector<std::string>> documentedCommands(std::string_view text);

} // namespace tegula::cli
