// Finds values that a text of MLIR uses outside of the region that defines them.
//
// Upstream's parser takes such a use for a forward reference, and when a later mistake makes it give up it
// frees the region's ops while ops outside still refer to them. So these uses are found before it sees the
// text.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tegula {

/// The place in `text` of the first use of a value `%name` that stands before its definition, which is in a
/// region that the use is not in. Regions are told by their braces; a text that is no MLIR gives nothing.
std::optional<size_t> findUseOutsideRegion(llvm::StringRef text);

} // namespace tegula
