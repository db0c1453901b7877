#include "runtime/host/TemporaryFolder.h"

#include "runtime/host/Environment.h"
#include "runtime/host/Files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <unistd.h>

namespace tegula::runtime {

TemporaryFolder::TemporaryFolder() {
  const std::string parent = environment("TMPDIR");
  std::string name = (access(parent.c_str(), X_OK) == 0 ? parent : "/tmp") + "/tegula-XXXXXX";
  if (mkdtemp(name.data()))
    path = name;
  else
    code = errno;
}

TemporaryFolder::~TemporaryFolder() {
  DIR *folder = path.empty() ? nullptr : opendir(path.c_str());
  if (!folder)
    return;
  // There are files alone in it: what could not be removed is not worth a word.
  while (const dirent *entry = readdir(folder))
    unlink(pathOf(entry->d_name).c_str());
  closedir(folder);
  rmdir(path.c_str());
}

Result<void> TemporaryFolder::made() const {
  if (!path.empty())
    return {};
  return Error{ErrorKind::Io, fmt::format("cannot make a temporary folder: {}", std::strerror(code))};
}

Result<void> TemporaryFolder::write(const char *name, std::string_view bytes) const {
  return writeFile(pathOf(name), bytes);
}

Result<std::string> TemporaryFolder::read(const char *name) const { return readFile(pathOf(name), SIZE_MAX); }

Result<std::string> TemporaryFolder::readFront(const char *name, size_t most) const {
  FileFront front = TRY(readFileFront(pathOf(name), most));
  if (front.rest)
    front.bytes += fmt::format("\n... {} bytes more\n", front.rest);
  return std::move(front.bytes);
}

} // namespace tegula::runtime
