// Tensor descriptors as signatures spell them.
#include "compiler/spec/Descriptor.h"

#include <gtest/gtest.h>

using namespace tegula;

namespace {

std::string problem(std::string_view text) {
  const auto parsed = parseDescriptorType(text);
  const std::string *wrong = std::get_if<std::string>(&parsed);
  return wrong ? *wrong : "";
}

} // namespace

TEST(Descriptor, ASignatureHasElementBlockAndPadding) {
  const auto parsed = parseDescriptorType("tensordesc<fp16[64,32]>");
  const auto &type = std::get<DescriptorType>(parsed);
  EXPECT_EQ(type.element, ScalarKind::Float16);
  EXPECT_EQ(type.value, (bound::Descriptor{{64, 32}, false}));
  EXPECT_TRUE(std::get<DescriptorType>(parseDescriptorType("tensordesc<i8[16],nan>")).value.padsWithNan);
  EXPECT_FALSE(std::get<DescriptorType>(parseDescriptorType("tensordesc<i8[16],zero>")).value.padsWithNan);
}

TEST(Descriptor, WhatIsNoSignature) {
  EXPECT_EQ(problem("tensordesc<fp16>"),
            "expected a descriptor such as `tensordesc<fp16[64,64]>`, found `tensordesc<fp16>`");
  EXPECT_EQ(problem("tensordesc<fp16[64]"),
            "expected a descriptor such as `tensordesc<fp16[64,64]>`, found `tensordesc<fp16[64]`");
  EXPECT_EQ(problem("tensordesc<f17[64]>"), "unknown type `f17` of the elements");
  EXPECT_EQ(problem("tensordesc<fp16[64,]>"), "expected a side of the block, found ``");
  EXPECT_EQ(problem("tensordesc<fp16[6x]>"), "expected a side of the block, found `6x`");
  EXPECT_EQ(problem("tensordesc<fp16[1,1,1,1,1,16]>"), "expected at most 5 sides of a block");
  EXPECT_EQ(problem("tensordesc<fp16[64],one>"), "expected `,nan` or `,zero` behind the block, found `,one`");
  EXPECT_FALSE(looksLikeDescriptor("*fp16"));
}

TEST(Descriptor, ItsPartsAreParametersOfTheirOwn) {
  std::string text;
  for (const auto &[name, type] : descriptorParameters("d", 2, ScalarKind::Float16))
    text += name + "=" + formatArgType(type) + " ";
  EXPECT_EQ(text, "d.base=*fp16:16 d.shape[0]=i32+ d.shape[1]=i32+ d.strides[0]=i64:8+ ");
  EXPECT_EQ(descriptorOf("d.shape[1]"), "d");
  EXPECT_EQ(descriptorOf("d"), "");
}
