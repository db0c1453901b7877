// Lines of source that no person wrote: what a host that hands functions over puts round them.
#pragma once

#include "compiler/frontend/syntax/text/Source.h"

#include <string_view>

namespace tegula {

/// The comment that ends such a line. `SourceFile::lineText` gives it as empty, so that no message shows it.
inline constexpr std::string_view madeLineMark = "# made by tegula";

/// Returns true if `source` has generated lines only: then messages do not mention calls in it either.
bool isAllMade(const SourceFile &source);

} // namespace tegula
