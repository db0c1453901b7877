// Reading and writing whole files, with errors for a person.
#pragma once

#include "dialect/image/Result.h"

#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>

namespace tegula::runtime {

/// The bytes of `path`, a regular file of at most `maxBytes`: a pipe or a device might never end. Errors: Io.
Result<std::string> readFile(const std::string &path, size_t maxBytes);

/// The front of a file, and how many bytes are behind it.
struct FileFront {
  std::string bytes;
  uint64_t rest = 0;
};
/// The first bytes of `path`, a regular file, `most` of them at most. Errors: Io.
Result<FileFront> readFileFront(const std::string &path, size_t most);

/// Returns a text that identifies the file at `path` and its last write: another text for another file, and
/// after each change. Empty for anything but a regular file, and for one written less than two seconds before
/// `now`, which may change unnoticed: clocks of file systems are coarse.
std::string fileVersion(const std::string &path, time_t now = time(nullptr));

/// The bytes of standard input to its end, at most `maxBytes`. Errors: Io.
Result<std::string> readStandardInput(size_t maxBytes);

/// Writes all of `bytes` to `descriptor`. False, with errno, where that cannot be done.
bool writeAll(int descriptor, std::string_view bytes);

/// Writes `bytes` to `path` in one step: either the whole file appears or, on an error, nothing
/// changes. Where `path` is no regular file (a pipe, /dev/stdout) it is written directly. Errors: Io.
Result<void> writeFile(const std::string &path, std::string_view bytes);

} // namespace tegula::runtime
