// Agreement of the ranks of a program: each offers bytes under a key, and all get the offers of all.
//
// Nothing here talks over a network: the program says how, by a function of its own.
#pragma once

#include "dialect/image/Result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::jit {

struct Agreement {
  uint32_t rank = 0, world = 1;
  /// Returns the offers of all ranks under `key`, in their order, as `pack` joins them: the same on every
  /// rank. All ranks ask with the same keys, equally often. Errors: its own, where a rank does not answer in
  /// time.
  std::function<runtime::Result<std::string>(const std::string &key, const std::string &offer)> agree;
};

/// Has tuning by the library agree with that of other ranks from now on; null ends that.
void setAgreement(std::shared_ptr<const Agreement> agreement);
/// Returns what `setAgreement` was given last; null where this process tunes alone.
std::shared_ptr<const Agreement> currentAgreement();

/// Joins texts: each is its length as eight bytes, the lowest first, and itself.
std::string pack(const std::vector<std::string> &parts);
/// Takes a text that `pack` made apart. Errors: InvalidArgument where it is none.
runtime::Result<std::vector<std::string>> unpack(std::string_view packed);

} // namespace tegula::jit
