// Operands of warp group instructions in shared memory: where each element lies, and what a descriptor says.
#include "dialect/layout/UnitMemory.h"
#include "dialect/layout/Fragments.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

using namespace tegula;

namespace {

/// The byte at which element (`other`, `contiguous`) of an operand lies, as the manual of PTX draws it: atoms
/// of eight spans along the other axis, then the next span of the contiguous one.
uint32_t drawn(uint32_t other, uint32_t contiguous, uint32_t others, uint32_t span, uint32_t elementBytes) {
  uint32_t byte = contiguous * elementBytes % span, column = contiguous * elementBytes / span;
  uint32_t address = column * others * span + other * span + byte;
  uint32_t mask = span == 128 ? 7 : span == 64 ? 3 : 1;
  return address ^ ((address >> 7 & mask) << 4);
}

struct Operand {
  std::array<int32_t, 2> shape;
  unsigned kAxis, elementBytes;
  bool kContiguous;
  unsigned widest;
};

std::vector<Operand> operands() {
  std::vector<Operand> all;
  for (int32_t width : {8, 16, 64, 128, 256})
    for (int32_t k : {16, 32, 64, 128})
      for (unsigned bytes : {1u, 2u, 4u})
        for (unsigned kAxis : {0u, 1u})
          for (bool kContiguous : {false, true})
            for (unsigned widest : {32u, 64u, 128u})
              all.push_back(
                  {kAxis ? std::array{width, k} : std::array{k, width}, kAxis, bytes, kContiguous, widest});
  return all;
}

TEST(UnitMemory, LiesAsTheManualDraws) {
  unsigned forms = 0;
  for (const Operand &operand : operands()) {
    std::optional<UnitForm> form =
        unitForm(operand.shape, operand.kAxis, operand.elementBytes, operand.kContiguous, operand.widest);
    if (!form)
      continue;
    ++forms;
    LinearLayout memory = unitMemory(operand.shape, operand.kAxis, operand.elementBytes, *form);
    ASSERT_TRUE(memory.isInvertible());
    unsigned contiguous = operand.kContiguous ? operand.kAxis : 1 - operand.kAxis;
    for (int32_t offset = 0; offset < memory.inSize(Dim::Offset); ++offset) {
      uint64_t place = memory.applyPacked(uint64_t(offset));
      uint32_t along = uint32_t(memory.unpackOut(place, tensorDim(contiguous))),
               across = uint32_t(memory.unpackOut(place, tensorDim(1 - contiguous)));
      ASSERT_EQ(
          uint32_t(offset) * operand.elementBytes,
          drawn(across, along, uint32_t(operand.shape[1 - contiguous]), form->span, operand.elementBytes))
          << operand.shape[0] << "x" << operand.shape[1] << " K " << operand.kAxis << " bytes "
          << operand.elementBytes << " span " << form->span;
    }
  }
  EXPECT_GT(forms, 100u);
}

TEST(UnitMemory, EveryMapOfAFormHasItsDescriptor) {
  for (const Operand &operand : operands()) {
    std::optional<UnitForm> form =
        unitForm(operand.shape, operand.kAxis, operand.elementBytes, operand.kContiguous, operand.widest);
    if (!form)
      continue;
    LinearLayout memory = unitMemory(operand.shape, operand.kAxis, operand.elementBytes, *form);
    std::optional<UnitOperand> found = asUnitOperand(memory, operand.kAxis, operand.elementBytes);
    ASSERT_TRUE(found);
    // A single atom of two-byte elements may be either way round only where both maps are the same.
    EXPECT_EQ(unitMemory(operand.shape, operand.kAxis, operand.elementBytes, found->form), memory);
    EXPECT_EQ(found->stride, 8 * found->form.span);
    EXPECT_EQ(found->alignment(), 8 * found->form.span);
  }
}

TEST(UnitMemory, DescriptorsOfAMatmul) {
  // a, 128 rows of 64 halves with K contiguous.
  const int32_t a[] = {128, 64};
  LinearLayout ofA = unitMemory(a, 1, 2, *unitForm(a, 1, 2, true));
  EXPECT_EQ(asUnitOperand(ofA, 1, 2)->descriptor(), uint64_t(1) << 62 | uint64_t(64) << 32 | 1 << 16);
  // b, 64 rows of K with 256 halves each: 64 columns to a span, from one to the next 64 * 128 bytes.
  const int32_t b[] = {64, 256};
  LinearLayout ofB = unitMemory(b, 0, 2, *unitForm(b, 0, 2, false));
  EXPECT_EQ(asUnitOperand(ofB, 0, 2)->descriptor(), uint64_t(1) << 62 | uint64_t(64) << 32 | 512 << 16);
  // Narrow ones have narrower spans.
  const int32_t narrow[] = {64, 16};
  LinearLayout ofNarrow = unitMemory(narrow, 1, 2, *unitForm(narrow, 1, 2, true));
  EXPECT_EQ(asUnitOperand(ofNarrow, 1, 2)->descriptor(), uint64_t(3) << 62 | uint64_t(16) << 32 | 1 << 16);
}

TEST(UnitMemory, RefusesWhatNoInstructionTakes) {
  const int32_t square[] = {64, 64}, thin[] = {64, 8}, flat[] = {4, 64}, cube[] = {2, 64, 64};
  EXPECT_FALSE(unitForm(square, 1, 1, false)); // rows contiguous of bytes
  EXPECT_FALSE(unitForm(square, 1, 4, false)); // and of words
  EXPECT_FALSE(unitForm(square, 1, 8, true));
  EXPECT_FALSE(unitForm(thin, 1, 2, true)); // 16 bytes along K
  EXPECT_FALSE(unitForm(flat, 1, 2, true)); // half an atom
  EXPECT_FALSE(unitForm(cube, 1, 2, true));
  // A plain row-major map is no operand.
  LinearLayout plain = LinearLayout::identity1D(64, Dim::Offset, Dim::Dim1) *
                       LinearLayout::identity1D(64, Dim::Offset, Dim::Dim0);
  EXPECT_FALSE(asUnitOperand(plain.transposeOuts(std::array{Dim::Dim0, Dim::Dim1}), 1, 2));
}

} // namespace

TEST(UnitMemory, ConsistsOfBoxesOneAfterAnother) {
  for (const Operand &operand : operands()) {
    std::optional<UnitForm> form =
        unitForm(operand.shape, operand.kAxis, operand.elementBytes, operand.kContiguous, operand.widest);
    if (!form)
      continue;
    LinearLayout memory = unitMemory(operand.shape, operand.kAxis, operand.elementBytes, *form);
    for (unsigned parts : {1u, 2u, 4u, 8u}) {
      std::optional<TmaBoxes> boxes = asTmaBoxes(memory, operand.elementBytes, parts);
      ASSERT_TRUE(boxes || parts > 1);
      if (!boxes)
        continue;
      ASSERT_EQ(boxes->places.size() % parts, 0u);
      const unsigned contiguous = operand.kContiguous ? operand.kAxis : 1 - operand.kAxis;
      ASSERT_EQ(boxes->contiguous, contiguous);
      ASSERT_EQ(boxes->span, form->span);
      ASSERT_LE(boxes->outer, 256);
      ASSERT_EQ(boxes->boxBytes() * boxes->places.size(),
                uint32_t(operand.shape[0] * operand.shape[1]) * operand.elementBytes);
      for (size_t box = 0; box < boxes->places.size(); ++box)
        for (int32_t row = 0; row < boxes->outer; row += 3)
          for (int32_t column = 0; column < boxes->inner; ++column) {
            int32_t place[2];
            place[contiguous] = boxes->places[box].first + column;
            place[1 - contiguous] = boxes->places[box].second + row;
            // As TMA swizzles: chunks of 16 bytes by the number of the 128 bytes that they are in.
            uint32_t byte = uint32_t(row) * boxes->span + uint32_t(column) * operand.elementBytes;
            uint32_t mask = boxes->span == 128 ? 7 : boxes->span == 64 ? 3 : 1;
            byte = uint32_t(box) * boxes->boxBytes() + (byte ^ ((byte >> 7 & mask) << 4));
            uint64_t point = uint64_t(place[0]) | uint64_t(place[1]) << memory.outs()[0].bits;
            ASSERT_EQ(memory.applyPacked(byte / operand.elementBytes), point);
          }
    }
  }
}

TEST(UnitMemory, PartsOfWarps) {
  const int32_t shape[] = {128, 64};
  const LinearLayout memory = unitMemory(shape, 1, 2, {true, 128}), below = groupResult(shape, 64, {2, 1}),
                     nextTo = groupResult(shape, 32, {1, 2});
  EXPECT_TRUE(isPartedByWarps(below, memory, 1));
  EXPECT_TRUE(isPartedByWarps(below, memory, 2));   // 64 rows each, one behind the other
  EXPECT_TRUE(isPartedByWarps(below, memory, 8));   // 16 rows each
  EXPECT_FALSE(isPartedByWarps(below, memory, 16)); // there are eight warps
  EXPECT_FALSE(isPartedByWarps(nextTo, memory, 2)); // columns of the same spans
  // Two spans side by side: the rows of the first lie in front of those of the second.
  const int32_t wide[] = {64, 128};
  const LinearLayout spans = unitMemory(wide, 1, 2, {true, 128});
  EXPECT_TRUE(isPartedByWarps(groupResult(wide, 64, {1, 2}), spans, 2));
  EXPECT_FALSE(isPartedByWarps(groupResult(wide, 128, {1, 1}), spans, 2));
}
