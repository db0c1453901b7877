// The arguments of a launch on the stack: nothing is allocated, and only what is used is written.
#pragma once

#include "runtime/host/ScalarBits.h"
#include "runtime/jit/launch/Variant.h"

#include <cstddef>
#include <new>
#include <span>
#include <type_traits>

namespace tegula::jit {

class HostValueList {
public:
  static constexpr size_t capacity = maxArguments;

  /// There are fewer than `capacity` so far.
  void add(HostValue::Kind kind, std::optional<ScalarKind> type, uint64_t bits) {
    new (bytes + count++ * sizeof(HostValue)) HostValue{kind, type, bits};
  }
  std::span<const HostValue> values() const {
    return {std::launder(reinterpret_cast<const HostValue *>(bytes)), count};
  }

private:
  static_assert(std::is_trivially_destructible_v<HostValue>);
  alignas(HostValue) std::byte bytes[capacity * sizeof(HostValue)];
  size_t count = 0;
};

} // namespace tegula::jit
