#include "runtime/cache/Folder.h"

#include "runtime/host/Files.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tegula::cache {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static constexpr std::string_view temporarySuffix = ".tmp";

FileTime FileTime::now() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return {time.tv_sec, time.tv_nsec};
}

Folder::Folder(std::string path) : pathText(std::move(path)) {}

Folder::~Folder() {
  if (descriptor >= 0)
    close(descriptor);
}

static Error refused(const std::string &path, const char *why) {
  return {ErrorKind::Io, fmt::format("the cache `{}` is not used: {}", path, why)};
}

Result<void> Folder::open(bool make) {
  if (isOpen())
    return {};
  int opened = ::open(pathText.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0 && errno == ENOENT && make) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(pathText).parent_path(), ignored);
    if (mkdir(pathText.c_str(), 0700) != 0 && errno != EEXIST)
      return refused(pathText, std::strerror(errno));
    opened = ::open(pathText.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  if (opened < 0)
    // A folder that does not exist yet is no problem.
    return errno == ENOENT && !make ? Result<void>() : refused(pathText, std::strerror(errno));
  struct stat status {};
  const char *problem = nullptr;
  if (fstat(opened, &status) != 0)
    problem = std::strerror(errno);
  else if (status.st_uid != geteuid())
    problem = "the folder belongs to another user";
  else if (status.st_mode & (S_IWGRP | S_IWOTH))
    problem = "others may write to the folder (`chmod go-w` mends that)";
  if (problem) {
    close(opened);
    return refused(pathText, problem);
  }
  descriptor = opened;
  return {};
}

namespace {

/// A descriptor that is closed with the object.
struct File {
  explicit File(int descriptor) : descriptor(descriptor) {}
  ~File() {
    if (descriptor >= 0)
      close(descriptor);
  }
  File(const File &) = delete;
  /// Closing tells of what could not be written after all.
  bool closeNow() {
    const int code = close(descriptor);
    descriptor = -1;
    return code == 0;
  }
  int descriptor;
};

/// While it lives, a file that grows past the process's limit is an error of the write and no signal that
/// ends the process: the signal goes to the thread that wrote.
class NoFileSizeSignal {
public:
  NoFileSizeSignal() {
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
  }
  ~NoFileSizeSignal() {
    const timespec atOnce{};
    if (!sigismember(&before, SIGXFSZ))
      while (sigtimedwait(&signals, nullptr, &atOnce) == SIGXFSZ)
        ;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  NoFileSizeSignal(const NoFileSizeSignal &) = delete;

private:
  sigset_t signals, before;
};

} // namespace

std::optional<std::string> Folder::read(const std::string &name, uint64_t maxBytes) const {
  if (!isOpen())
    return std::nullopt;
  const File file(openat(descriptor, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.descriptor < 0 || fstat(file.descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
      uint64_t(status.st_size) > maxBytes)
    return std::nullopt;
  std::string bytes(size_t(status.st_size), '\0');
  size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t count = ::read(file.descriptor, bytes.data() + have, bytes.size() - have);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    have += size_t(count);
  }
  return bytes;
}

bool Folder::replace(const std::string &name, std::string_view bytes) const {
  if (!isOpen())
    return false;
  // A process's number says little: other machines may share the folder.
  std::random_device random;
  const std::string aside = fmt::format("{}.{:08x}{:08x}{}", name, random(), random(), temporarySuffix);
  const NoFileSizeSignal quiet;
  File file(openat(descriptor, aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.descriptor < 0)
    return false;
  const bool written = runtime::writeAll(file.descriptor, bytes);
  if (file.closeNow() && written && renameat(descriptor, aside.c_str(), descriptor, name.c_str()) == 0)
    return true;
  unlinkat(descriptor, aside.c_str(), 0);
  return false;
}

std::optional<uint64_t> Folder::append(const std::string &name, std::string_view bytes) const {
  if (!isOpen())
    return std::nullopt;
  const NoFileSizeSignal quiet;
  const File file(
      openat(descriptor, name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  struct stat status {};
  if (file.descriptor < 0 || !runtime::writeAll(file.descriptor, bytes) ||
      fstat(file.descriptor, &status) != 0)
    return std::nullopt;
  return uint64_t(status.st_size);
}

bool Folder::remove(const std::string &name) const {
  return isOpen() && unlinkat(descriptor, name.c_str(), 0) == 0;
}

std::optional<FileInfo> Folder::info(const std::string &name) const {
  struct stat status {};
  if (!isOpen() || fstatat(descriptor, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISREG(status.st_mode))
    return std::nullopt;
  return FileInfo{name, uint64_t(status.st_size), {status.st_mtim.tv_sec, status.st_mtim.tv_nsec}};
}

bool Folder::setTime(const std::string &name, FileTime time) const {
  const timespec both{.tv_sec = time.seconds, .tv_nsec = time.nanoseconds};
  const timespec times[2] = {both, both};
  return isOpen() && utimensat(descriptor, name.c_str(), times, AT_SYMLINK_NOFOLLOW) == 0;
}

std::vector<FileInfo> Folder::list() const {
  std::vector<FileInfo> files;
  // A descriptor of its own: two threads would share the place where they read.
  const int opened = isOpen() ? openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (opened < 0)
    return files;
  const std::unique_ptr<DIR, int (*)(DIR *)> folder(fdopendir(opened), closedir);
  if (!folder) {
    close(opened);
    return files;
  }
  while (const dirent *entry = readdir(folder.get()))
    if (std::optional<FileInfo> file = info(entry->d_name))
      files.push_back(std::move(*file));
  return files;
}

Folder::Lock::Lock(const Folder &folder, const std::string &name) : folder(folder.descriptor), name(name) {
  if (!folder.isOpen())
    return;
  descriptor = openat(folder.descriptor, name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  tryAgain();
}

Folder::Lock::~Lock() {
  if (descriptor < 0)
    return;
  // A process that was forked meanwhile has the descriptor too, and would keep the lock.
  if (held)
    flock(descriptor, LOCK_UN);
  close(descriptor);
}

void Folder::Lock::tryAgain() {
  held = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  busy = descriptor >= 0 && !held && (errno == EWOULDBLOCK || errno == EINTR);
}

bool Folder::Lock::hasFile() const {
  struct stat status {};
  return descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

void Folder::Lock::empty() const {
  if (held)
    (void)!ftruncate(descriptor, 0);
}

void Folder::Lock::removeFile() const {
  if (held)
    unlinkat(folder, name.c_str(), 0);
}

bool Folder::isTemporary(std::string_view name) {
  return name.ends_with(temporarySuffix) || name.ends_with(lockSuffix);
}

} // namespace tegula::cache
