#include "runtime/jit/files/BuildId.h"

#include "runtime/cache/Checksum.h"
#include "runtime/host/Files.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string_view>

namespace tegula::jit {

/// The descriptor of the build id among the notes of a segment, in hexadecimal; empty where it is not there.
static std::string buildIdIn(std::string_view notes) {
  constexpr size_t alignment = 4;
  auto padded = [](size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes.data(), sizeof header);
    notes.remove_prefix(sizeof header);
    const size_t nameBytes = padded(header.n_namesz), idBytes = padded(header.n_descsz);
    if (notes.size() < nameBytes || notes.size() - nameBytes < idBytes)
      return {};
    const std::string_view name = notes.substr(0, header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4)) {
      std::string id;
      for (const char byte : notes.substr(nameBytes, header.n_descsz))
        id += fmt::format("{:02x}", uint8_t(byte));
      return id;
    }
    notes.remove_prefix(nameBytes + idBytes);
  }
  return {};
}

namespace {
/// An address, and the build id of the file that is loaded there.
struct Search {
  uintptr_t address;
  std::string id;
};
} // namespace

static int searchIn(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  bool isHere = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    isHere |=
        segment.p_type == PT_LOAD && search.address - (object->dlpi_addr + segment.p_vaddr) < segment.p_memsz;
  }
  for (int i = 0; isHere && i < object->dlpi_phnum && search.id.empty(); ++i)
    if (const ElfW(Phdr) &segment = object->dlpi_phdr[i]; segment.p_type == PT_NOTE)
      search.id =
          buildIdIn({reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz});
  return isHere;
}

/// A hash of the file that this code is in.
static std::string hashOfFile() {
  Dl_info info{};
  const bool isKnown = dladdr(reinterpret_cast<const void *>(&compilerIdentity), &info) && info.dli_fname;
  runtime::Result<std::string> bytes =
      runtime::readFile(isKnown ? info.dli_fname : "/proc/self/exe", SIZE_MAX);
  // An executable's name is what it was called by; its file is always this one.
  if (!bytes)
    bytes = runtime::readFile("/proc/self/exe", SIZE_MAX);
  return bytes ? cache::checksum(*bytes) : "unknown";
}

const std::string &compilerIdentity() {
  static const std::string identity = [] {
    Search search{reinterpret_cast<uintptr_t>(&compilerIdentity), {}};
    dl_iterate_phdr(searchIn, &search);
    return search.id.empty() ? hashOfFile() : search.id;
  }();
  return identity;
}

} // namespace tegula::jit
