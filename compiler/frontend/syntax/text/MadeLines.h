// Lines of source that no person wrote: what a host that hands functions over puts round them.
#pragma once

#include "compiler/frontend/syntax/text/Source.h"

#include <string_view>

namespace tegula {

/// How such a line ends, in a comment. `SourceFile::lineText` gives it as empty, so that no message shows it.
inline constexpr std::string_view madeLineMark = "# made by tegula";

/// Whether no line of `source` is a person's: then nobody learns either that it calls something.
bool isAllMade(const SourceFile &source);

} // namespace tegula
