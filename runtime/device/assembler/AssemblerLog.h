// Reads an assembler's log: how many registers a kernel takes, and why PTX was refused.
#pragma once

#include "runtime/device/assembler/Assembler.h"

#include <string>
#include <string_view>
#include <vector>

namespace tegula::runtime {

/// The entries that a verbose log tells of, in its order.
std::vector<EntryResources> readResources(std::string_view log);

/// The lines with warnings, and with the codes C7500 to C7599, that a log has, each once, from the code on.
std::vector<std::string> readWarnings(std::string_view log);

/// `log` with the source's `file:line:column: ` in front of each line that names a line of `ptx` which came
/// from one, as the `.loc` before it says: PTX by hand stands in a kernel, and there its author looks.
std::string withSourcePlaces(std::string_view log, std::string_view ptx);

/// The refusal of `name`, which links, to take PTX that hands registers over.
Error wholeProgramError(const std::string &name);

/// The error that `log` means: Unavailable where the assembler `name` is too old for `ptx` or does not know
/// `arch`, else Driver with the log and its places in the source.
Error assemblyError(const std::string &name, const std::string &arch, std::string_view log,
                    std::string_view ptx);

} // namespace tegula::runtime
