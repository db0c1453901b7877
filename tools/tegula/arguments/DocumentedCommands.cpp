#include "tools/tegula/arguments/DocumentedCommands.h"

#include "tools/tegula/arguments/BundleSpecs.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace tegula::cli {

/// Takes the first line off `text`, without the blanks around it.
static std::string_view takeLine(std::string_view &text) {
  const auto [line, rest] = llvm::StringRef(text).split('\n');
  text = rest;
  return line.trim(" \t\r");
}

std::vector<DocumentedCommand> documentedCommands(std::string_view text) {
  std::vector<DocumentedCommand> commands;
  for (uint32_t at = 0; !text.empty(); ++at) {
    const uint32_t first = at;
    std::string_view line = takeLine(text);
    line.remove_prefix(std::min(line.find_first_not_of("#$>\"' "), line.size()));
    if (!line.starts_with("tegula run ") && !line.starts_with("tegula compile "))
      continue;
    std::string joined;
    for (; line.ends_with('\\'); ++at) {
      joined += line.substr(0, line.find_last_not_of('\\') + 1);
      joined += ' ';
      line = takeLine(text);
    }
    joined += line;
    if (runtime::Result<std::vector<std::string>> words = splitWords(joined))
      commands.push_back({{words->begin() + 1, words->end()}, first});
  }
  return commands;
}

} // namespace tegula::cli
