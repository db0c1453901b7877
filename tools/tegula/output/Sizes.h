// Numbers of bytes, as people write and read them.
#pragma once

#include "dialect/image/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tegula::cli {

/// "512M": a number and K, M, G or T for powers of 1024, or nothing for bytes. `what` names it in the error.
/// Errors: InvalidArgument.
runtime::Result<uint64_t> parseSize(std::string_view text, std::string_view what);

/// "1.5 MiB", "800 bytes", "1 GiB"
std::string formatSize(uint64_t bytes);

} // namespace tegula::cli
