// Tensor descriptors that a host hands to a kernel: how they are written in a signature, and the parameters
// by which a launch passes one. What is known when compiling is a `bound::Descriptor`.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <utility>

namespace tegula {

/// A descriptor may have at most this many axes.
inline constexpr size_t maxDescriptorRank = 5;

/// A parameter that is a descriptor, as a signature spells it: "tensordesc<fp16[64,64]>", or
/// "tensordesc<fp16[64,64],nan>" where NaN is what a block has outside of the array.
struct DescriptorType {
  ScalarKind element = ScalarKind::Float32;
  bound::Descriptor value;
};

/// Returns true if `text` is meant to be such a type.
bool looksLikeDescriptor(std::string_view text);
/// On failure the string says what is wrong.
std::variant<DescriptorType, std::string> parseDescriptorType(std::string_view text);

/// The parameters that the descriptor `name` of an array with `rank` axes is passed by, in order:
/// `name.base`, where it begins; `name.shape[0]`, ..., its sides, i32; `name.strides[0]`, ..., steps in
/// elements, i64, but for the last, which is 1. The facts are those that every descriptor promises: the base
/// and all strides are multiples of 16 bytes, nothing is negative.
std::vector<std::pair<std::string, RuntimeArg>> descriptorParameters(std::string_view name, size_t rank,
                                                                     ScalarKind element);

/// The descriptor that the parameter `name` belongs to: "a" of "a.shape[1]"; empty where it is none's.
std::string_view descriptorOf(std::string_view name);

} // namespace tegula
