// Takes what kernels need out of libraries: a few functions of perhaps many megabytes of bitcode.
#pragma once

#include "compiler/emit/libraries/LibraryFile.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace tegula {

/// A library as messages name it, with its file.
struct Library {
  std::string name, path;
  std::shared_ptr<const LibraryFile> file;
};

/// "`a` (a.bc), `b` (b.bc)".
std::string listText(llvm::ArrayRef<Library> libraries);

/// Functions and variables of libraries as bitcode.
struct LibraryCode {
  std::string bitcode;
  std::string problem; ///< why there is none, or empty
};

/// Returns the functions `symbols`, those of them that the libraries define, with all that they call and
/// read, without lines of their sources and without what is said of processors. Only bodies that are needed
/// are parsed, and the result is kept for the same bytes and symbols. Thread safe.
std::shared_ptr<const LibraryCode> extractCode(llvm::ArrayRef<Library> libraries,
                                               const std::vector<std::string> &symbols);

} // namespace tegula
