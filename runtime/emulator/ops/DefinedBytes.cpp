#include "runtime/emulator/ops/DefinedBytes.h"

#include <algorithm>

namespace tegula::runtime::ptx {

namespace {

/// The bytes of one lane's operand that are defined, a bit each.
uint8_t maskOf(const ByteLanes &bytes, uint32_t lane) {
  unsigned mask = 0;
  for (unsigned i = 0; i < bytes.size(); ++i)
    mask |= (bytes[i] >> lane & 1) << i;
  return uint8_t(mask);
}

void setMask(ByteLanes &bytes, uint32_t lane, unsigned mask) {
  for (unsigned i = 0; i < bytes.size(); ++i)
    bytes[i] |= (mask >> i & 1) << lane;
}

/// Returns true if the bytes of bits `first` to `last` are all defined.
bool covers(uint8_t mask, unsigned first, unsigned last) {
  const unsigned needed = unsigned(lowMask(last / 8 - first / 8 + 1)) << first / 8;
  return (mask & needed) == needed;
}

/// Calls `body(lane, mask of the first operand)` for the executing lanes whose other operands, from the
/// `from`-th to before the `to`-th, are defined; the result is a mask of the lane's bytes.
template <typename Body>
ByteLanes eachLane(const Warp &warp, const Inst &inst, unsigned from, unsigned to, Body body) {
  const ByteLanes operand = warp.definedBytes(inst.src[0]);
  uint32_t able = warp.mask;
  for (unsigned i = from; i < to; ++i)
    able &= warp.defined[inst.src[i]];
  ByteLanes out{};
  forLanes(able, [&](uint32_t lane) { setMask(out, lane, body(lane, maskOf(operand, lane))); });
  return out;
}

uint64_t operandOf(const Warp &warp, const Inst &inst, unsigned index, uint32_t lane) {
  return warp.rows[size_t(inst.src[index]) * lanes + lane];
}

unsigned fieldOperand(const Warp &warp, const Inst &inst, unsigned index, uint32_t lane) {
  return fieldOperand(inst, operandOf(warp, inst, index, lane));
}

} // namespace

ByteLanes copiedBytes(const Warp &warp, const Inst &inst) { return warp.definedBytes(inst.src[0]); }

ByteLanes combinedBytes(const Warp &warp, const Inst &inst) {
  const ByteLanes other = warp.definedBytes(inst.src[1]);
  return eachLane(warp, inst, 0, 0, [&](uint32_t lane, uint8_t first) {
    const uint8_t second = maskOf(other, lane);
    const uint64_t a = operandOf(warp, inst, 0, lane), b = operandOf(warp, inst, 1, lane);
    unsigned out = first & second;
    const unsigned deciding = Logic(inst.op) == Logic::And ? 0 : 0xff;
    for (unsigned i = 0; i < 8 && Logic(inst.op) != Logic::Xor; ++i) {
      const bool byFirst = first >> i & 1 && (a >> 8 * i & 0xff) == deciding;
      const bool bySecond = second >> i & 1 && (b >> 8 * i & 0xff) == deciding;
      out |= unsigned(byFirst || bySecond) << i;
    }
    return out;
  });
}

ByteLanes shiftedLeftBytes(const Warp &warp, const Inst &inst) {
  return eachLane(warp, inst, 1, 2, [&](uint32_t lane, uint8_t mask) {
    const uint64_t n = operandOf(warp, inst, 1, lane);
    unsigned out = 0;
    for (unsigned i = 0; i < bitsOf(inst.type) / 8; ++i) {
      const bool isZero = 8 * i + 7 < n;
      out |= unsigned(isZero || covers(mask, 8 * i < n ? 0 : unsigned(8 * i - n), unsigned(8 * i + 7 - n)))
             << i;
    }
    return out;
  });
}

ByteLanes shiftedRightBytes(const Warp &warp, const Inst &inst) {
  return eachLane(warp, inst, 1, 2, [&](uint32_t lane, uint8_t mask) {
    const unsigned top = bitsOf(inst.type) - 1;
    const auto n = unsigned(std::min<uint64_t>(operandOf(warp, inst, 1, lane), top + 1));
    unsigned out = 0;
    for (unsigned i = 0; i <= top / 8; ++i) {
      const unsigned first = 8 * i + n;
      const bool isZero = first > top && !isSigned(inst.type);
      out |= unsigned(isZero || covers(mask, std::min(first, top), std::min(first + 7, top))) << i;
    }
    return out;
  });
}

ByteLanes extractedBytes(const Warp &warp, const Inst &inst) {
  return eachLane(warp, inst, 1, 3, [&](uint32_t lane, uint8_t mask) {
    const unsigned top = bitsOf(inst.type) - 1;
    const unsigned first = fieldOperand(warp, inst, 1, lane), count = fieldOperand(warp, inst, 2, lane);
    if (count == 0 || (first > top && !isSigned(inst.type)))
      return 0xffu;
    return covers(mask, std::min(first, top), std::min(first + count - 1, top)) ? 0xffu : 0u;
  });
}

ByteLanes insertedBytes(const Warp &warp, const Inst &inst) {
  const ByteLanes base = warp.definedBytes(inst.src[1]);
  return eachLane(warp, inst, 2, 4, [&](uint32_t lane, uint8_t field) {
    const unsigned width = bitsOf(inst.type), old = maskOf(base, lane);
    const unsigned first = std::min(fieldOperand(warp, inst, 2, lane), width),
                   last = std::min(first + fieldOperand(warp, inst, 3, lane), width); // one past
    unsigned out = 0;
    for (unsigned i = 0; i < width / 8; ++i) {
      const unsigned low = std::max(8 * i, first), high = std::min(8 * i + 8, last);
      const bool isBase = low >= high || high - low < 8; // some of the byte's bits come from the base
      const bool fieldDefined = low >= high || covers(field, low - first, high - 1 - first);
      out |= unsigned(fieldDefined && (!isBase || old >> i & 1)) << i;
    }
    return out;
  });
}

ByteLanes commonBytes(const Warp &warp, const Inst &inst, unsigned sources) {
  ByteLanes bytes = warp.definedBytes(inst.src[0]);
  for (unsigned source = 1; source < sources; ++source) {
    const ByteLanes other = warp.definedBytes(inst.src[source]);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] &= other[i];
  }
  return bytes;
}

ByteLanes convertedBytes(const Warp &warp, const Inst &inst) {
  const unsigned kept = std::min(bitsOf(inst.from), bitsOf(inst.type)) / 8;
  ByteLanes bytes = warp.definedBytes(inst.src[0]);
  // Bytes beyond both types are zeros, or the sign of the narrower.
  const bool hasSign = isSigned(bitsOf(inst.from) < bitsOf(inst.type) ? inst.from : inst.type);
  std::fill(bytes.begin() + kept, bytes.end(), hasSign ? bytes[kept - 1] : ~0u);
  return bytes;
}

} // namespace tegula::runtime::ptx
