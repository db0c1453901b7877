// The cost of an access of memory for a warp in one layout or another.
#pragma once

#include "compiler/analysis/access/MemoryAccess.h"
#include "dialect/tile/Tile.h"

namespace tegula {

/// The cost of `op`, an access with `facts`, if its pointers had `layout`: instructions of a warp, and what
/// memory moves for them, in the time of one sector. A sector that the warp touches again costs a load a part
/// of that, since it is in the first cache by then, and a store all of it.
///
/// How far elements lie apart is tried with small and with large strides where only a run knows it. Nothing
/// where addresses follow from what is loaded.
std::optional<double> accessCost(mlir::Operation *op, const MemoryAccess &facts, tile::LayoutAttr layout,
                                 unsigned threadBits);

/// The cost of a change of layout, in the same times.
double conversionCost(tile::LayoutAttr from, tile::LayoutAttr to, unsigned elementBytes, unsigned threadBits);

} // namespace tegula
