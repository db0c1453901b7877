#include "dialect/layout/Parts.h"

#include <unordered_map>

namespace tegula {

namespace {

/// Coordinates of `coords` moved on by `offsets`, as one word of `layout`'s outputs.
uint64_t moved(const std::vector<Coord> &coords, std::span<const int32_t> offsets,
               const LinearLayout &layout) {
  uint64_t word = 0;
  unsigned below = 0;
  for (size_t axis = 0; axis < coords.size(); ++axis) {
    int32_t offset = axis < offsets.size() ? offsets[axis] : 0;
    word |= uint64_t(coords[axis].value + offset) << below;
    below += layout.outs()[axis].bits;
  }
  return word;
}

/// True where every lane and warp means the same step in both.
bool threadsAgree(const LinearLayout &whole, const LinearLayout &part) {
  for (Dim dim : {Dim::Lane, Dim::Warp, Dim::Block}) {
    if (whole.inBits(dim) != part.inBits(dim))
      return false;
    for (unsigned bit = 0; bit < whole.inBits(dim); ++bit)
      if (moved(part.unpackOut(part.column(dim, bit)), {}, whole) != whole.column(dim, bit))
        return false;
  }
  return true;
}

} // namespace

std::optional<LinearLayout> partLayout(const LinearLayout &whole, std::span<const int32_t> sides) {
  LinearLayout part = whole;
  for (size_t axis = 0; axis < sides.size(); ++axis)
    part = part.resizeOut(tensorDim(unsigned(axis)), sides[axis]);
  if (!threadsAgree(whole, part))
    return std::nullopt;
  // A register whose basis leaves the box in part only belongs to no box.
  for (unsigned bit = 0; bit < whole.inBits(Dim::Register); ++bit) {
    uint64_t inPart = moved(part.unpackOut(part.column(Dim::Register, bit)), {}, whole);
    if (inPart != 0 && inPart != whole.column(Dim::Register, bit))
      return std::nullopt;
  }
  return part.removeZeroBases(Dim::Register);
}

std::optional<std::vector<uint32_t>> registersOfPart(const LinearLayout &whole, const LinearLayout &part,
                                                     std::span<const int32_t> offsets) {
  if (!threadsAgree(whole, part))
    return std::nullopt;
  std::unordered_map<uint64_t, uint32_t> holder;
  for (int32_t reg = 0; reg < whole.inSize(Dim::Register); ++reg)
    holder.try_emplace(whole.applyPacked(whole.packIn(std::vector<Coord>{{Dim::Register, reg}})),
                       uint32_t(reg));
  std::vector<uint32_t> registers;
  for (int32_t reg = 0; reg < part.inSize(Dim::Register); ++reg) {
    auto found = holder.find(moved(part.apply(std::vector<Coord>{{Dim::Register, reg}}), offsets, whole));
    if (found == holder.end())
      return std::nullopt;
    registers.push_back(found->second);
  }
  return registers;
}

} // namespace tegula
