// The arguments of a launch, from tegula_c.h's to ours, without allocating.
#pragma once

#include "runtime/api/tegula_c.h"
#include "runtime/device/Result.h"
#include "runtime/jit/ScalarBits.h"
#include "runtime/jit/Variant.h"

#include <array>
#include <cstddef>
#include <span>

namespace tegula::c {

class ArgumentList {
public:
  /// Errors: InvalidArgument for what is no kind of argument, or too many of them.
  runtime::Result<void> convert(const tegula_argument *arguments, size_t count);
  std::span<const jit::HostValue> values() const {
    return {reinterpret_cast<const jit::HostValue *>(bytes), count};
  }

private:
  /// Only what is used is ever written.
  alignas(jit::HostValue) std::byte bytes[jit::maxArguments * sizeof(jit::HostValue)];
  size_t count = 0;
};

} // namespace tegula::c
