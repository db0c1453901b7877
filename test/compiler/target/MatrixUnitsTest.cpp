#include "compiler/target/MatrixUnits.h"

#include <gtest/gtest.h>

using namespace tegula;

namespace {

using E = MatrixElement;

/// "16x8x16", or "none".
std::string shapeOf(std::string_view target, E a, E b, E sum, int32_t maxK) {
  std::optional<MatrixInstruction> found = matrixInstruction(*lookupTarget(target), a, b, sum, maxK);
  if (!found)
    return "none";
  EXPECT_EQ(found->a, a);
  EXPECT_EQ(found->b, b);
  EXPECT_EQ(found->sum, sum);
  return std::to_string(found->shape.m) + "x" + std::to_string(found->shape.n) + "x" +
         std::to_string(found->shape.k);
}

TEST(MatrixUnits, EveryLaterTargetHasTheInstructionsOfAmpere) {
  for (const Target &target : allTargets().subspan(1)) {
    SCOPED_TRACE(target.name);
    EXPECT_EQ(shapeOf(target.name, E::F16, E::F16, E::F32, 64), "16x8x16");
    EXPECT_EQ(shapeOf(target.name, E::F16, E::F16, E::F16, 16), "16x8x16");
    EXPECT_EQ(shapeOf(target.name, E::BF16, E::BF16, E::F32, 16), "16x8x16");
    EXPECT_EQ(shapeOf(target.name, E::TF32, E::TF32, E::F32, 32), "16x8x8");
    EXPECT_EQ(shapeOf(target.name, E::F64, E::F64, E::F64, 32), "8x8x4");
    EXPECT_EQ(shapeOf(target.name, E::S8, E::S8, E::S32, 32), "16x8x32");
  }
}

TEST(MatrixUnits, TuringMultipliesF16AndIntegersOfEightBits) {
  EXPECT_EQ(shapeOf("sm_75", E::F16, E::F16, E::F32, 64), "16x8x8");
  EXPECT_EQ(shapeOf("sm_75", E::F16, E::F16, E::F16, 8), "16x8x8");
  EXPECT_EQ(shapeOf("sm_75", E::S8, E::S8, E::S32, 64), "8x8x16");
  EXPECT_EQ(shapeOf("sm_75", E::S8, E::S8, E::S32, 8), "none");
  EXPECT_EQ(shapeOf("sm_75", E::F16, E::F16, E::F32, 4), "none");
  EXPECT_EQ(shapeOf("sm_75", E::BF16, E::BF16, E::F32, 64), "none");
  EXPECT_EQ(shapeOf("sm_75", E::TF32, E::TF32, E::F32, 64), "none");
  EXPECT_EQ(shapeOf("sm_75", E::F64, E::F64, E::F64, 64), "none");
  EXPECT_EQ(shapeOf("sm_75", E::E4M3, E::E4M3, E::F32, 64), "none");
}

TEST(MatrixUnits, AShortKTakesTheShortInstruction) {
  EXPECT_EQ(shapeOf("sm_80", E::F16, E::F16, E::F32, 15), "16x8x8");
  EXPECT_EQ(shapeOf("sm_80", E::F16, E::F16, E::F16, 8), "16x8x8");
  EXPECT_EQ(shapeOf("sm_80", E::BF16, E::BF16, E::F32, 8), "16x8x8");
  EXPECT_EQ(shapeOf("sm_80", E::TF32, E::TF32, E::F32, 4), "16x8x4");
  EXPECT_EQ(shapeOf("sm_80", E::S8, E::S8, E::S32, 16), "16x8x16");
  EXPECT_EQ(shapeOf("sm_80", E::F16, E::F16, E::F32, 4), "none");
  EXPECT_EQ(shapeOf("sm_80", E::TF32, E::TF32, E::F32, 2), "none");
  EXPECT_EQ(shapeOf("sm_80", E::F64, E::F64, E::F64, 2), "none");
  EXPECT_EQ(shapeOf("sm_80", E::S8, E::S8, E::S32, 8), "none");
}

TEST(MatrixUnits, EightBitFloatsCameWithAda) {
  for (E a : {E::E4M3, E::E5M2})
    for (E b : {E::E4M3, E::E5M2}) {
      EXPECT_EQ(shapeOf("sm_80", a, b, E::F32, 64), "none");
      EXPECT_EQ(shapeOf("sm_86", a, b, E::F32, 64), "none");
      for (const char *target : {"sm_89", "sm_90a", "sm_100a", "sm_103a", "sm_120a", "sm_121a"})
        EXPECT_EQ(shapeOf(target, a, b, E::F32, 32), "16x8x32") << target;
      EXPECT_EQ(shapeOf("sm_90a", a, b, E::F32, 16), "none");
      EXPECT_EQ(shapeOf("sm_90a", a, b, E::F16, 32), "none");
    }
}

TEST(MatrixUnits, TypesThatNoInstructionJoinsHaveNone) {
  EXPECT_EQ(shapeOf("sm_90a", E::F16, E::BF16, E::F32, 64), "none");
  EXPECT_EQ(shapeOf("sm_90a", E::BF16, E::BF16, E::F16, 64), "none");
  EXPECT_EQ(shapeOf("sm_90a", E::F32, E::F32, E::F32, 64), "none");
  EXPECT_EQ(shapeOf("sm_90a", E::S8, E::S8, E::F32, 64), "none");
}

TEST(MatrixUnits, FragmentsFillRegisters) {
  const Target &turing = *lookupTarget("sm_75"), &hopper = *lookupTarget("sm_90a");
  using Row = std::pair<const Target *, E>;
  for (auto [target, element] : {Row(&turing, E::F16), {&turing, E::S8}, {&hopper, E::F16}, {&hopper, E::BF16},
                                 {&hopper, E::TF32}, {&hopper, E::F64}, {&hopper, E::S8}, {&hopper, E::E4M3},
                                 {&hopper, E::E5M2}}) {
    E sum = element == E::F64 ? E::F64 : element == E::S8 ? E::S32 : E::F32;
    MatrixInstruction found = *matrixInstruction(*target, element, element, sum, 64);
    // Every element of an operand has one place in the warp.
    EXPECT_TRUE(fragmentA(found.shape, bytesOf(element)).isInvertible()) << nameOf(element);
    EXPECT_TRUE(fragmentB(found.shape, bytesOf(element)).isInvertible()) << nameOf(element);
    EXPECT_TRUE(fragmentC(found.shape).isInvertible()) << nameOf(element);
  }
}

TEST(MatrixUnits, ElementsHaveNamesAndSizes) {
  EXPECT_EQ(nameOf(E::TF32), "tf32");
  EXPECT_EQ(nameOf(E::E4M3), "e4m3");
  EXPECT_EQ(nameOf(E::S32), "s32");
  EXPECT_EQ(bytesOf(E::E5M2), 1u);
  EXPECT_EQ(bytesOf(E::BF16), 2u);
  EXPECT_EQ(bytesOf(E::TF32), 4u);
  EXPECT_EQ(bytesOf(E::F64), 8u);
}

TEST(MatrixUnits, GroupsOfWarpsMultiplyOnHopperAlone) {
  auto depthOf = [](std::string_view target, E a, E b, E sum) {
    std::optional<MatrixInstruction> found = groupInstruction(*lookupTarget(target), a, b, sum, 128);
    if (!found)
      return 0;
    EXPECT_EQ(found->shape.m, 64);
    EXPECT_EQ(found->shape.n, 128);
    return found->shape.k;
  };
  for (const Target &target : allTargets())
    EXPECT_EQ(depthOf(target.name, E::BF16, E::BF16, E::F32), target.name == "sm_90a" ? 16 : 0) << target.name;
  EXPECT_EQ(depthOf("sm_90a", E::F16, E::F16, E::F16), 16);
  EXPECT_EQ(depthOf("sm_90a", E::E4M3, E::E5M2, E::F32), 32);
  EXPECT_EQ(depthOf("sm_90a", E::S8, E::S8, E::S32), 32);
  EXPECT_EQ(depthOf("sm_90a", E::BF16, E::BF16, E::F16), 0);
  EXPECT_EQ(depthOf("sm_90a", E::F16, E::BF16, E::F32), 0);
  EXPECT_EQ(depthOf("sm_90a", E::TF32, E::TF32, E::F32), 0);
  EXPECT_EQ(depthOf("sm_90a", E::F64, E::F64, E::F64), 0);
}

} // namespace
