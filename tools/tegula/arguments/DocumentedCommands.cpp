#include "tools/tegula/arguments/DocumentedCommands.h"

#include "tools/tegula/arguments/BundleSpecs.h"

#include <algorithm>

namespace tegula::cli {

/// Takes the first line off `text`, without the blanks around it.
static std::string_view takeLine(std::string_view &text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  constexpr std::string_view blanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  line = line.substr(0, line.find_last_not_of(blanks) + 1);
  return line;
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
