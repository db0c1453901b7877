#include "runtime/host/Files.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace tegula::runtime {

static Error ioError(const char *verb, const std::string &path, const char *reason) {
  return {ErrorKind::Io, fmt::format("cannot {} `{}`: {}", verb, path, reason)};
}

static Error tooLarge(const std::string &path, size_t maxBytes) {
  return ioError("read", path, fmt::format("it is larger than {} bytes", maxBytes).c_str());
}

namespace {
struct CloseFile {
  void operator()(FILE *file) const { fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;
} // namespace

/// All that can be read of `descriptor`, which `name` stands for in errors.
static Result<std::string> readAll(int descriptor, const std::string &name, size_t maxBytes) {
  std::string bytes;
  char block[65536];
  for (;;) {
    const ssize_t count = read(descriptor, block, sizeof block);
    if (count == 0)
      return bytes;
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return ioError("read", name, strerror(errno));
    if (bytes.size() + size_t(count) > maxBytes)
      return tooLarge(name, maxBytes);
    bytes.append(block, size_t(count));
  }
}

std::string fileVersion(const std::string &path, time_t now) {
  constexpr time_t settled = 2; // seconds; FAT has times of two, all others finer ones
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return {};
  // The time of the status changes with each write, also where a program sets the time of the last write.
  const time_t last = std::max(status.st_mtim.tv_sec, status.st_ctim.tv_sec);
  if (last + settled > now)
    return {};
  return fmt::format("{} {} {} {}.{} {}.{} {}", status.st_dev, status.st_ino, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                     status.st_ctim.tv_nsec, path);
}

/// Opens a regular file, whose `status` it gives.
static Result<File> openRegular(const std::string &path, struct stat &status) {
  // Opening a pipe without a writer would wait for one.
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0)
    return ioError("read", path, strerror(errno));
  File file(fdopen(descriptor, "rb"));
  if (fstat(descriptor, &status) != 0)
    return ioError("read", path, strerror(errno));
  // Opening a directory succeeds; only reading it fails, and with a less helpful message.
  if (S_ISDIR(status.st_mode))
    return ioError("read", path, "it is a directory");
  if (!S_ISREG(status.st_mode))
    return ioError("read", path, S_ISFIFO(status.st_mode) ? "it is a pipe" : "it is no regular file");
  return std::move(file);
}

Result<std::string> readFile(const std::string &path, size_t maxBytes) {
  struct stat status {};
  const File file = TRY(openRegular(path, status));
  if (uint64_t(status.st_size) > maxBytes)
    return tooLarge(path, maxBytes);
  return readAll(fileno(file.get()), path, maxBytes);
}

Result<FileFront> readFileFront(const std::string &path, size_t most) {
  struct stat status {};
  const File file = TRY(openRegular(path, status));
  const auto size = uint64_t(status.st_size);
  FileFront front{std::string(std::min<uint64_t>(size, most), '\0'), 0};
  front.rest = size - front.bytes.size();
  front.bytes.resize(fread(front.bytes.data(), 1, front.bytes.size(), file.get()));
  if (ferror(file.get()))
    return ioError("read", path, strerror(errno));
  return front;
}

Result<std::string> readStandardInput(size_t maxBytes) { return readAll(STDIN_FILENO, "<stdin>", maxBytes); }

bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes.remove_prefix(size_t(count));
  }
  return true;
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

} // namespace tegula::runtime
