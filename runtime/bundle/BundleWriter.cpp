#include "runtime/bundle/BundleWriter.h"

#include "runtime/cache/Checksum.h"
#include "runtime/cache/Entry.h"

#include <fmt/format.h>

namespace tegula::bundle {

static Form formOf(const BundledKernel &kernel) {
  if (kernel.image.splits && kernel.image.splits->blocks > 1)
    return Form::Shared;
  return kernel.withoutMaps ? Form::Plain : Form::Kernel;
}

void BundleWriter::add(const std::string &key, const BundledKernel &kernel) {
  std::string types;
  for (const LaunchParameter &parameter : kernel.parameters)
    types += (types.empty() ? "" : ",") + parameter.type;
  entries.try_emplace(key, Pending{formOf(kernel), kernel.image.target,
                                   types.empty() ? std::string(nothingWord) : types, kernel.name,
                                   encode(key, kernel)});
}

void BundleWriter::addNote(const std::string &name, const std::string &text) {
  const std::string key = noteKey(name);
  entries.insert_or_assign(key, Pending{Form::Note, std::string(nothingWord), std::string(nothingWord), name,
                                        cache::encode(key, {{std::string(noteSection), text}})});
}

std::string BundleWriter::bytes() const {
  std::string table, all;
  for (const auto &[key, entry] : entries) {
    table += fmt::format("{} {} {} {} {} {} {}\n", key, all.size(), entry.bytes.size(),
                         formWords[size_t(entry.form)], entry.target, entry.types, entry.name);
    all += entry.bytes;
  }
  const std::string checked =
      fmt::format("{} {} {}\n{}", currentVersion(), entries.size(), table.size(), table);
  return fmt::format("{}{}\n{}{}", magic, cache::checksum(checked), checked, all);
}

} // namespace tegula::bundle
