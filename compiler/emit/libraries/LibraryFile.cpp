#include "compiler/emit/libraries/LibraryFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

#include <map>
#include <mutex>

namespace tegula {

std::shared_ptr<const LibraryFile> openLibrary(const std::string &path, std::string &problem) {
  struct Kept {
    std::shared_ptr<const LibraryFile> file;
    uint64_t size = 0;
    llvm::sys::TimePoint<> modified;
  };
  static std::mutex mutex;
  static std::map<std::string, Kept> files; // of the process, by path
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status)) {
    problem = code.message();
    return nullptr;
  }
  std::lock_guard lock(mutex);
  Kept &kept = files[path];
  if (kept.file && kept.size == status.getSize() && kept.modified == status.getLastModificationTime())
    return kept.file;
  // Read rather than mapped: a file that shrinks later would end the process.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> bytes =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/true,
                                  /*IsVolatile=*/true);
  if (!bytes) {
    problem = bytes.getError().message();
    return nullptr;
  }
  const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef((*bytes)->getBuffer()));
  std::string digest = llvm::utohexstr(hash.high64, /*LowerCase=*/true, 16) +
                       llvm::utohexstr(hash.low64, /*LowerCase=*/true, 16);
  kept = {std::make_shared<const LibraryFile>(LibraryFile{std::move(*bytes), std::move(digest)}),
          status.getSize(), status.getLastModificationTime()};
  return kept.file;
}

} // namespace tegula
