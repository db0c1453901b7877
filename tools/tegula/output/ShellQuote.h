// Words as shells read them.
#pragma once

#include <string>
#include <string_view>

namespace tegula::cli {

/// Returns `text` in single quotes, as sh, zsh and fish read it.
std::string shellQuoted(std::string_view text);

} // namespace tegula::cli
