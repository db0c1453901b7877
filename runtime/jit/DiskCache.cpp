#include "runtime/jit/DiskCache.h"
#include "runtime/jit/Files.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>

namespace tegula::jit {

static constexpr std::string_view magic = "tegula cache 2\n";
/// No PTX comes near; larger files are not ours.
static constexpr size_t maxEntryBytes = size_t(256) << 20;

DiskCache::DiskCache(std::string folder) : folder(std::move(folder)) {}

std::string DiskCache::configuredFolder() {
  const char *folder = std::getenv("TEGULA_CACHE_DIR");
  return folder ? folder : "";
}

/// 64-bit FNV-1a with a chosen start; two of them name the file.
static uint64_t fnv(std::string_view bytes, uint64_t hash) {
  for (unsigned char byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3ull;
  return hash;
}

std::string DiskCache::pathOf(const std::string &key) const {
  return fmt::format("{}/{:016x}{:016x}.tegula", folder, fnv(key, 0xcbf29ce484222325ull),
                     fnv(key, 0x6c62272e07bb0142ull));
}

namespace {

/// Fields as "length:bytes", which any bytes survive.
struct Writer {
  std::string text{magic};
  void put(std::string_view field) { text += fmt::format("{}:{}", field.size(), field); }
  void put(uint64_t number) { put(std::string_view(fmt::format("{}", number))); }
};

struct Reader {
  std::string_view rest;
  bool failed = false;

  std::string_view field() {
    size_t length = 0;
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    const size_t digits = size_t(end - rest.data());
    if (failed || error != std::errc() || digits >= rest.size() || *end != ':' ||
        length > rest.size() - digits - 1) {
      failed = true;
      return {};
    }
    std::string_view found = rest.substr(digits + 1, length);
    rest.remove_prefix(digits + 1 + length);
    return found;
  }
  uint32_t number() {
    std::string_view text = field();
    uint32_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      failed = true;
    return value;
  }
};

} // namespace

std::optional<KernelImage> DiskCache::find(const std::string &key) const {
  if (!enabled())
    return std::nullopt;
  runtime::Result<std::string> bytes = readFile(pathOf(key), maxEntryBytes);
  if (!bytes || !std::string_view(*bytes).starts_with(magic))
    return std::nullopt;
  Reader reader{std::string_view(*bytes).substr(magic.size())};
  if (reader.field() != key)
    return std::nullopt;
  KernelImage image;
  image.entry = reader.field();
  image.target = reader.field();
  image.ptx = reader.field();
  image.sourceFile = reader.field();
  image.paramBytes = reader.number();
  image.numWarps = reader.number();
  image.sharedBytes = reader.number();
  image.programsPerBlock = reader.number();
  const uint32_t count = reader.number();
  for (uint32_t i = 0; i < count && !reader.failed; ++i) {
    KernelParam param;
    param.name = reader.field();
    param.type = reader.field();
    param.kind = ParamKind(reader.number());
    param.size = reader.number();
    param.offset = reader.number();
    image.params.push_back(std::move(param));
  }
  if (reader.failed || !reader.rest.empty())
    return std::nullopt;
  return image;
}

void DiskCache::store(const std::string &key, const KernelImage &image) const {
  if (!enabled())
    return;
  Writer writer;
  for (const std::string *field : {&key, &image.entry, &image.target, &image.ptx, &image.sourceFile})
    writer.put(std::string_view(*field));
  for (uint32_t number : {image.paramBytes, image.numWarps, image.sharedBytes, image.programsPerBlock,
                          uint32_t(image.params.size())})
    writer.put(uint64_t(number));
  for (const KernelParam &param : image.params) {
    writer.put(std::string_view(param.name));
    writer.put(std::string_view(param.type));
    writer.put(uint64_t(param.kind));
    writer.put(uint64_t(param.size));
    writer.put(uint64_t(param.offset));
  }
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  (void)bool(writeFile(pathOf(key), writer.text));
}

const std::string &compilerIdentity() {
  // The file this code was loaded from, with its size and time: a version number would be forgotten.
  static const std::string identity = [] {
    Dl_info info{};
    struct stat status{};
    if (!dladdr(reinterpret_cast<const void *>(&compilerIdentity), &info) || !info.dli_fname)
      return std::string("unknown");
    // A static executable's name is what it was called by; its file is always this one.
    if (stat(info.dli_fname, &status) != 0 && stat("/proc/self/exe", &status) != 0)
      return std::string("unknown");
    return fmt::format("{} {}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }();
  return identity;
}

} // namespace tegula::jit
