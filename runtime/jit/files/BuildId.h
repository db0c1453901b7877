// Which build of the compiler this is.
#pragma once

#include <string>

namespace tegula::jit {

/// What every key of the disk cache begins with: it changes whenever the compiler does, and is the same
/// wherever and whenever this build was copied to. The linker's build id of the file that this code is in; a
/// hash of the file where it has none.
const std::string &compilerIdentity();

} // namespace tegula::jit
