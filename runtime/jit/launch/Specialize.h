// From the arguments of a launch to what the compiled code may rely on.
//
// The rules are Triton's: the integer 1 and None become compile-time values, other integers are i32,
// i64 or u64 by their value, a multiple of 16 is known to be one, floats are fp32, bools i1, and a
// pointer knows whether its address is a multiple of 16. `do_not_specialize` and annotations of the
// parameter change that. Beyond Triton's: a signed integer that is not negative is known not to be, so that
// `%` and `//` of it are. Sizes and strides hardly ever are, so this makes no more variants. And code that asks for it
// (`FinerFacts` of Variant.h) is told which smaller power of two divides an argument.
#pragma once

#include "compiler/driver/KernelInfo.h"
#include "dialect/image/Result.h"
#include "runtime/host/ScalarBits.h"

#include <span>
#include <string>

namespace tegula::jit {

/// Facts of one argument that the code depends on. Small and free of pointers: it is made for each argument
/// of each launch, and together they are the key of the compiled variant.
struct Specialized {
  enum Form : uint8_t {
    BoundNone, ///< the compile-time value None
    BoundOne,  ///< the compile-time value 1
    Runtime,   ///< a parameter of the compiled kernel
    Mismatch,  ///< the argument cannot be passed for the parameter
  };
  Form form = Mismatch;
  ScalarKind scalar = ScalarKind::Int32;
  uint8_t pointerDepth = 0;
  uint8_t divisibility = 1;
  bool nonNegative = false;

  bool operator==(const Specialized &) const = default;
  static constexpr unsigned divisibilityShift = 24; ///< the highest part of the key
  uint32_t key() const {
    return uint32_t(form) | uint32_t(nonNegative) << 7 | uint32_t(scalar) << 8 |
           uint32_t(pointerDepth) << 16 | uint32_t(divisibility) << divisibilityShift;
  }
};

Specialized specialize(const ParameterInfo &parameter, const HostValue &value);

/// The argument of a KernelSpec that `specialized`, which is no Mismatch, stands for.
ArgSpec argSpec(const Specialized &specialized);

/// The value of a `tl.constexpr` parameter; a pointer cannot be one.
runtime::Result<BoundValue> constexprOf(const ParameterInfo &parameter, const HostValue &value);

/// Why `value` cannot be passed for `parameter`: "parameter `x` is a pointer, found the number 3".
runtime::Error mismatch(const ParameterInfo &parameter, const HostValue &value);

/// "the pointer *fp32", "the number 1.5", "None": for messages.
std::string describeValue(const HostValue &value);

} // namespace tegula::jit
