// Tables in a Markdown document.
#include "tools/tegula/bench/Tables.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli::bench {

static std::string firstLine(const Section &section) {
  return fmt::format("<!-- tegula bench {} -->\n", section.name);
}
static std::string lastLine(const Section &section) {
  return fmt::format("<!-- end of tegula bench {} -->\n", section.name);
}

runtime::Result<std::string> withSections(std::string document, const std::vector<Section> &sections) {
  for (const Section &section : sections) {
    const std::string first = firstLine(section);
    const size_t begin = document.find(first);
    const size_t end = begin == std::string::npos ? begin : document.find(lastLine(section), begin);
    if (end == std::string::npos) {
      std::string shown = first + lastLine(section);
      return usageError(fmt::format("expected the lines\n{}around the table that is to be replaced", shown));
    }
    // A blank line on both sides: a table begins a paragraph.
    document.replace(begin + first.size(), end - begin - first.size(), "\n" + section.text + "\n");
  }
  return document;
}

std::string sectionText(const std::vector<Section> &sections) {
  std::string text;
  for (const Section &section : sections)
    text += fmt::format("{}{}\n{}\n{}", text.empty() ? "" : "\n", firstLine(section), section.text,
                        lastLine(section));
  return text;
}

} // namespace tegula::cli::bench
