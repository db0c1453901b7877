// The registers of a warp by name, as numbers of the type that the code takes them for.
#pragma once

#include "compiler/debug/Values.h"
#include "runtime/emulator/warp/Warp.h"
#include "tools/tegula/threads/RegisterTypes.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// A register with what its 32 lanes hold.
struct RegisterValue {
  std::string name; ///< "%r12"
  runtime::ptx::Type type = runtime::ptx::Type::None;
  std::array<uint64_t, runtime::ptx::lanes> bits{};
  uint32_t defined = 0; ///< a bit a lane
};

/// The registers of the call that the warp is in which hold a value in some lane, in the order of the code.
std::vector<RegisterValue> registersOf(const runtime::ptx::Warp &warp, const RegisterTypes &types);
/// The register called `name`, a special one among them, or with the `%` left out; nothing where the function
/// has none.
std::optional<RegisterValue> registerNamed(const runtime::ptx::Warp &warp, std::string_view name,
                                           const RegisterTypes &types);

/// "0xff800000 -inf", "0x00000020 32", "True", "undefined": what a lane holds.
std::string registerText(const RegisterValue &value, uint32_t lane);
/// The lanes as a value of 32 elements.
debug::Value lanesOf(const RegisterValue &value);

} // namespace tegula::cli
