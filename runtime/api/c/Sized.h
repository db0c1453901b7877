// Structs that begin with the size that the caller knows them by.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tegula::c {

/// Copies of `from` what fits into the caller's struct, whose `size` stays.
template <typename Struct> void fill(Struct &to, Struct from) {
  from.size = to.size;
  std::memcpy(&to, &from, std::min(to.size, sizeof(Struct)));
}

/// The caller's struct, with zeros in the fields that the caller does not know of.
template <typename Struct> Struct read(const Struct &given) {
  Struct known{};
  std::memcpy(&known, &given, std::min(given.size, sizeof(Struct)));
  return known;
}

} // namespace tegula::c
