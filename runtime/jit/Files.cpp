#include "runtime/jit/Files.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static Error ioError(const char *verb, const std::string &path, const char *reason) {
  return {ErrorKind::Io, fmt::format("cannot {} `{}`: {}", verb, path, reason)};
}

namespace {
struct CloseFile {
  void operator()(FILE *file) const { fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;
} // namespace

Result<std::string> readFile(const std::string &path, size_t maxBytes) {
  struct stat status {};
  File file(fopen(path.c_str(), "rb"));
  if (!file || fstat(fileno(file.get()), &status) != 0)
    return ioError("read", path, strerror(errno));
  // Opening a directory succeeds; only reading it fails, and with a less helpful message.
  if (S_ISDIR(status.st_mode))
    return ioError("read", path, "it is a directory");
  std::string bytes;
  char block[65536];
  while (size_t count = fread(block, 1, sizeof block, file.get())) {
    if (bytes.size() + count > maxBytes)
      return ioError("read", path, fmt::format("it is larger than {} bytes", maxBytes).c_str());
    bytes.append(block, count);
  }
  if (ferror(file.get()))
    return ioError("read", path, strerror(errno));
  return bytes;
}

static Result<void> writeTo(const std::string &path, const std::string &shownPath, std::string_view bytes) {
  File file(fopen(path.c_str(), "wb"));
  if (!file)
    return ioError("write", shownPath, strerror(errno));
  const bool written = fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  // The last bytes leave with the close, which may be the one to fail on a full disk.
  if (fclose(file.release()) != 0 || !written)
    return ioError("write", shownPath, strerror(errno));
  return {};
}

Result<void> writeFile(const std::string &path, std::string_view bytes) {
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return ioError("write", path, "it is a directory");
  if (exists && !S_ISREG(status.st_mode))
    return writeTo(path, path, bytes);
  static std::atomic<unsigned> counter = 0;
  const std::string temporary = fmt::format("{}.{}.{}.tmp", path, getpid(), counter++);
  if (Result<void> written = writeTo(temporary, path, bytes); !written) {
    unlink(temporary.c_str());
    return written;
  }
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    Error error = ioError("write", path, strerror(errno));
    unlink(temporary.c_str());
    return error;
  }
  return {};
}

} // namespace tegula::jit
