// What an assembler prints: how many registers a kernel takes, and why PTX was refused.
#pragma once

#include "runtime/device/Assembler.h"

#include <string>
#include <string_view>
#include <vector>

namespace tegula::runtime {

/// The entries that a verbose log tells of, in its order.
std::vector<EntryResources> readResources(std::string_view log);

/// The error that `log` means: Unavailable where the assembler `name` is too old for the PTX or does not know
/// `arch`, else Driver with the log.
Error assemblyError(const std::string &name, const std::string &arch, std::string_view log);

} // namespace tegula::runtime
