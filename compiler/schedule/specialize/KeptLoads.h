// Loads whose operands are kept for the products of all iterations, such as queries of attention, made by the
// producer for the next time round the loop that they stand in:
//
//     producer:  for tiles: await empty | expect full | copy q | for k: ...
//     consumers: for tiles: await full  | for k: ...           | arrive empty | store
#pragma once

#include "compiler/schedule/specialize/WarpSpecializer.h"

namespace tegula {

/// Gives `load`, which stands in the one loop around those of the producer, to the producer: it loads for the
/// next time when all loops in there have ended. All loops are specialised.
void specializeKeptLoad(tgpu::TmaLoadOp load, SpecializedLoops &loops);

} // namespace tegula
