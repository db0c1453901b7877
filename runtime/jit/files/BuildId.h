// Identifies the build of the compiler.
#pragma once

#include <string>

namespace tegula::jit {

/// Returns the beginning of every key of the disk cache: it changes with the compiler, and is the same
/// wherever and whenever this build was copied to. The linker's build id of the file that this code is in, or
/// a hash of the file where it has none.
const std::string &compilerIdentity();

} // namespace tegula::jit
