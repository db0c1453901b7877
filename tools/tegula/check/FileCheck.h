// Checks all kernels of a file, and of folders of files.
#pragma once

#include "runtime/jit/files/ModuleFiles.h"
#include "tools/tegula/check/KernelCheck.h"

namespace tegula::cli {

/// The findings in a file.
struct FileCheck {
  std::string path;                    ///< as messages call it
  std::vector<Diagnostic> diagnostics; ///< of all kernels, each once, in the order of the text
  std::vector<KernelCheck> kernels;    ///< none where the text does not parse
  unsigned fixes = 0;                  ///< that were made in the file
  bool hasErrors() const;
};

/// Checks the kernels in `text`. Functions that only other kernels of the file call are checked with these;
/// those that return something, as no kernel does, are checked as far as their arguments do not matter.
FileCheck checkParsed(Compiler &compiler, const ParsedSource &source, const CheckOptions &options);

/// A file to check. In a folder, those without kernels are no mistake.
struct CheckedFile {
  std::string path;
  bool isNamed = false;
};
/// The files that `paths` name, and the `.py` files in and below the folders among them, by name; hidden ones
/// and what Python keeps are left out.
std::vector<CheckedFile> filesToCheck(const std::vector<std::string> &paths);

} // namespace tegula::cli
