// The plan of an op, for all who ask: how much shared memory it needs, what barriers it has, its code.
#pragma once

#include "compiler/lower/ConversionPlan.h"
#include "compiler/lower/ReductionPlan.h"
#include "dialect/tile/Tile.h"

namespace tegula {

/// Bits of a thread's number where a program has `warps` warps.
unsigned threadBitsOf(unsigned warps);

ConversionPlan planOf(tile::ConvertLayoutOp op, unsigned threadBits);
ReductionPlan planOf(tile::ReduceOp op, unsigned threadBits);

} // namespace tegula
