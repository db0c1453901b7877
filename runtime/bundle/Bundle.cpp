#include "runtime/bundle/Bundle.h"

#include "runtime/cache/Checksum.h"
#include "runtime/cache/Entry.h"
#include "runtime/cache/TextReader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tegula::bundle {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

std::string_view currentVersion() { return TEGULA_VERSION; }

std::string noteKey(std::string_view name) { return cache::checksum(fmt::format("note {}", name)); }

Result<std::shared_ptr<const Bundle>> Bundle::open(const std::string &path) {
  auto failed = [&](const char *what) {
    return Error{ErrorKind::Io, fmt::format("cannot {} `{}`: {}", what, path, std::strerror(errno))};
  };
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return failed("open");
  struct stat info {};
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) {
    close(file);
    return Error{ErrorKind::InvalidArgument, fmt::format("`{}` is no bundle of kernels", path)};
  }
  void *mapped = mmap(nullptr, size_t(info.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped == MAP_FAILED)
    return failed("map");
  const std::string_view bytes(static_cast<const char *>(mapped), size_t(info.st_size));
  std::shared_ptr<Bundle> made(new Bundle(path, bytes, /*isMapped=*/true));
  TRY(made->readTable());
  return std::shared_ptr<const Bundle>(std::move(made));
}

Result<std::shared_ptr<const Bundle>> Bundle::view(std::string_view bytes, std::string what) {
  std::shared_ptr<Bundle> made(new Bundle(std::move(what), bytes, /*isMapped=*/false));
  TRY(made->readTable());
  return std::shared_ptr<const Bundle>(std::move(made));
}

Bundle::~Bundle() {
  if (isMapped)
    munmap(const_cast<char *>(all.data()), all.size());
}

/// Reads a line of the table; nothing where it is none.
static std::optional<Bundle::Item> readItem(cache::TextReader &reader) {
  const std::optional<std::string_view> key = reader.upTo(' ');
  const std::optional<uint64_t> offset = reader.numberUpTo(' '), bytes = reader.numberUpTo(' ');
  const std::optional<std::string_view> word = reader.upTo(' '), target = reader.upTo(' '),
                                        types = reader.upTo(' '), name = reader.upTo('\n');
  if (!key || !offset || !bytes || !word || !target || !types || !name)
    return std::nullopt;
  const auto form = std::ranges::find(formWords, *word);
  if (form == formWords.end())
    return std::nullopt;
  return Bundle::Item{*key, Form(form - formWords.begin()), *target, *types, *name, *offset, *bytes};
}

Result<void> Bundle::readTable() {
  if (!all.starts_with(magic))
    return Error{ErrorKind::InvalidArgument, fmt::format("`{}` is no bundle of kernels", name)};
  const Error damaged{ErrorKind::InvalidArgument, fmt::format("`{}` is damaged", name)};
  cache::TextReader reader{all.substr(magic.size())};
  const std::optional<std::string_view> sum = reader.upTo('\n');
  const std::string_view checked = reader.rest;
  const std::optional<std::string_view> version = reader.upTo(' ');
  const std::optional<uint64_t> count = reader.numberUpTo(' '), bytes = reader.numberUpTo('\n');
  if (!sum || !version || !count || !bytes || *bytes > reader.rest.size())
    return damaged;
  const size_t headBytes = checked.size() - reader.rest.size();
  if (cache::checksum(checked.substr(0, headBytes + *bytes)) != *sum)
    return damaged;
  if (*version != currentVersion())
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("`{}` is of Tegula {}, and this is {}: make it again with `tegula bundle`", name,
                             *version, currentVersion())};
  entries = reader.rest.substr(*bytes);
  reader.rest = reader.rest.substr(0, *bytes);
  for (uint64_t i = 0; i < *count; ++i) {
    std::optional<Item> item = readItem(reader);
    if (!item || item->offset > entries.size() || item->bytes > entries.size() - item->offset)
      return damaged;
    table.push_back(*item);
  }
  if (!std::ranges::is_sorted(table, {}, &Item::key))
    return damaged;
  return {};
}

const Bundle::Item *Bundle::find(std::string_view key) const {
  auto found = std::ranges::lower_bound(table, key, {}, &Item::key);
  return found != table.end() && found->key == key ? &*found : nullptr;
}

Result<BundledKernel> Bundle::read(const Item &item) const {
  std::optional<BundledKernel> kernel = decode(item.key, item.name, bytesOf(item));
  if (!kernel)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("`{}` is damaged at the kernel `{}`", path(), item.name)};
  return std::move(*kernel);
}

std::optional<std::string> Bundle::note(std::string_view wanted) const {
  const Item *item = find(noteKey(wanted));
  if (!item || item->form != Form::Note)
    return std::nullopt;
  std::optional<cache::Entry> entry = cache::decode(bytesOf(*item));
  if (!entry || entry->key != item->key || !entry->sections.contains(noteSection))
    return std::nullopt;
  return std::move(entry->sections.find(noteSection)->second);
}

} // namespace tegula::bundle
