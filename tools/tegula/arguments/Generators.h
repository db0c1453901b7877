// Array contents made from a seed: the same bytes on every machine.
#pragma once

#include "tools/tegula/arguments/Arguments.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// 128 random bits from a key and a counter: Philox 4x32 with ten rounds (Salmon et al., "Parallel
/// random numbers: as easy as 1, 2, 3", 2011). Element i of an array depends on nothing but the seed,
/// the array's name and i.
struct Philox {
  uint64_t key;
  /// The two 64-bit halves of block `counter`.
  std::pair<uint64_t, uint64_t> block(uint64_t counter) const;
};

/// The key for the argument `name`: arguments are independent of each other and of their order.
Philox philoxFor(uint64_t seed, std::string_view name);

/// Digits of a float type, in bits, the one that is not stored among them.
int precisionOf(ScalarKind type);

/// Bytes of this machine's memory: no array is larger.
uint64_t physicalMemory();

/// The element bytes of `array`, which is no File and not Empty. Errors: OutOfResources when it is
/// larger than the machine's memory.
runtime::Result<std::vector<std::byte>> generate(const ArrayArgument &array, const Philox &random);

/// log(x) for x in (0, 1], and sine and cosine of a turn's share in [0, 1), from plain arithmetic: the
/// C library's own differ in the last digit from one version to the next.
double portableLog(double x);
std::pair<double, double> portableSinCos(double turns);

} // namespace tegula::cli
