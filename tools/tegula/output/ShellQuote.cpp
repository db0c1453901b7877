#include "tools/tegula/output/ShellQuote.h"

namespace tegula::cli {

std::string shellQuoted(std::string_view text) {
  // A quote ends the quoted part, stands for itself, and begins another.
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

} // namespace tegula::cli
