// Programs of a CUDA toolkit, where one is installed. Nothing needs them.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace tegula::runtime {

/// The path of the first of the programs `names` that is found: in CUDA_HOME, on PATH, or where toolkits are
/// usually installed. Empty where there is none.
std::string findToolkitProgram(std::initializer_list<std::string_view> names);

} // namespace tegula::runtime
