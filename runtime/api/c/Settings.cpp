// Settings of the whole process: where compiled kernels are kept, where assemblers are looked for.
#include "runtime/api/c/Guard.h"

#include "runtime/device/assembler/Assembler.h"
#include "runtime/jit/files/DiskCache.h"

#include <fmt/format.h>

using namespace tegula;
using namespace tegula::c;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

tegula_error *tegula_set_cache_folder(const char *folder) {
  return guarded([&]() -> Result<void> {
    jit::DiskCache::setFolder(folder ? std::optional<std::string>(folder) : std::nullopt);
    return {};
  });
}

tegula_error *tegula_set_assembler_folders(const char *const *folders, size_t count) {
  return guarded([&]() -> Result<void> {
    if (count && !folders)
      return Error{ErrorKind::InvalidArgument, "expected `folders`, found null"};
    std::vector<std::string> paths;
    for (size_t i = 0; i < count; ++i) {
      if (!folders[i])
        return Error{ErrorKind::InvalidArgument, fmt::format("expected folder {}, found null", i)};
      paths.emplace_back(folders[i]);
    }
    runtime::setAssemblerFolders(std::move(paths));
    return {};
  });
}
