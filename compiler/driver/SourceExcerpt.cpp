#include "compiler/driver/SourceExcerpt.h"

#include "compiler/driver/ParsedSource.h"
#include "compiler/frontend/syntax/text/Excerpt.h"

namespace tegula {

std::string excerptAt(const ParsedSource &program, std::string_view file, uint32_t line, uint32_t column) {
  for (const std::shared_ptr<const SourceFile> &source : program.allFiles())
    if (source->path() == file)
      if (std::string shown = excerpt(source->lineText(line), column); !shown.empty())
        return shown;
  return {};
}

} // namespace tegula
