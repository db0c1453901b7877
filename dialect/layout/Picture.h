// Layouts as text pictures.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <string>

namespace tegula {

/// Draws a tensor of at most two axes as a table, each element showing who holds it as
/// `T<thread>:<register>`, where threads count through the lanes of the first warp, then of the next. Of
/// several holders the one with the lowest thread, then register, is shown, with `+` after it; an element
/// without a holder shows `-`. A memory layout (input `offset` only) shows the offsets instead. Tables end
/// after `maxRows` rows and `maxColumns` columns with `...`.
///
/// A layout of more axes, or of more than 2^24 places, has no picture: the text says so.
std::string picture(const LinearLayout &layout, int32_t maxRows = 64, int32_t maxColumns = 64);

} // namespace tegula
