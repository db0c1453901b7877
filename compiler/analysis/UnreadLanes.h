// What a masked load gives where its mask is false, and whether anybody reads it.
#pragma once

#include "dialect/tile/Tile.h"

namespace tegula {

/// Whether nobody reads the elements that `load`, of a tensor, gives where its mask is false: wherever they
/// go, masks that have the parts of this one leave them out - of stores, atomic ops and other loads, of
/// `select` and `and`, all parts at once or one after another. The load's code need give them no value then.
///
/// Elements are followed through arithmetic, changes of shape and layout, reductions along axes that the mask
/// is the same along, and loops outside of which the mask is known; not into arithmetic that may branch on
/// an element (divisions of integers), nor into products.
bool isUnreadOutsideMask(tile::LoadOp load);

} // namespace tegula
