// The architecture to compile for by default.
#pragma once

#include <string_view>

namespace tegula {

inline constexpr std::string_view DefaultTarget = "sm_90a";

} // namespace tegula
