// The architecture that is compiled for where nobody says which.
#pragma once

#include <string_view>

namespace tegula {

inline constexpr std::string_view DefaultTarget = "sm_90a";

} // namespace tegula
