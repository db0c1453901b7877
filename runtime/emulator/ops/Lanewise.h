// Handlers made from a function on single values: the same operation for every executing lane.
#pragma once

#include "runtime/emulator/warp/Warp.h"

namespace tegula::runtime::ptx {

/// `dst = F(inst, a)`; the result is defined where the operand is.
template <auto F> void unary(Warp &warp, const Inst &inst) {
  uint64_t *out = warp.row(inst.dst);
  const uint64_t *a = warp.row(inst.src[0]);
  forLanes(warp.mask, [&](uint32_t lane) { out[lane] = F(inst, a[lane]); });
  warp.setDefined(inst.dst, warp.defined[inst.src[0]]);
}

/// `dst = F(inst, a, b)`
template <auto F> void binary(Warp &warp, const Inst &inst) {
  uint64_t *out = warp.row(inst.dst);
  const uint64_t *a = warp.row(inst.src[0]), *b = warp.row(inst.src[1]);
  forLanes(warp.mask, [&](uint32_t lane) { out[lane] = F(inst, a[lane], b[lane]); });
  warp.setDefined(inst.dst, warp.defined[inst.src[0]] & warp.defined[inst.src[1]]);
}

/// `dst = F(inst, a, b, c)`
template <auto F> void ternary(Warp &warp, const Inst &inst) {
  uint64_t *out = warp.row(inst.dst);
  const uint64_t *a = warp.row(inst.src[0]), *b = warp.row(inst.src[1]), *c = warp.row(inst.src[2]);
  forLanes(warp.mask, [&](uint32_t lane) { out[lane] = F(inst, a[lane], b[lane], c[lane]); });
  warp.setDefined(inst.dst,
                  warp.defined[inst.src[0]] & warp.defined[inst.src[1]] & warp.defined[inst.src[2]]);
}

} // namespace tegula::runtime::ptx
