// Files of LLVM bitcode that kernels are linked with, read once a process.
#pragma once

#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace tegula {

/// A file as it was when it was read.
struct LibraryFile {
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  std::string digest; ///< of the bytes, 32 hexadecimal digits
};

/// Returns the file at `path`, read anew only where its size or its time of modification has changed; null
/// where it cannot be read, with the reason in `problem`. Thread safe.
std::shared_ptr<const LibraryFile> openLibrary(const std::string &path, std::string &problem);

} // namespace tegula
