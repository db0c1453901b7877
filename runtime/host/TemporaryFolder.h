// Folders for the files of a program that is run.
#pragma once

#include "dialect/image/Result.h"

#include <string>
#include <string_view>

namespace tegula::runtime {

/// A folder for files, which goes with the object: in TMPDIR, else in /tmp.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;

  /// Returns an error if it could not be made. Errors: Io.
  Result<void> made() const;
  std::string pathOf(const char *name) const { return path + "/" + name; }
  /// A file of the folder. Errors: Io.
  Result<void> write(const char *name, std::string_view bytes) const;
  Result<std::string> read(const char *name) const;
  /// The first `most` bytes of a file, behind which a line says how many more there are. Errors: Io.
  Result<std::string> readFront(const char *name, size_t most) const;

private:
  std::string path;
  int code = 0; ///< errno where it could not be made
};

} // namespace tegula::runtime
