#include "runtime/cache/Levels.h"
#include "runtime/host/Environment.h"

namespace tegula::cache {

std::string sharedFolder() { return runtime::environment("TEGULA_SHARED_CACHE_DIR"); }

Levels::Levels(std::string own, std::string shared)
    : own(own), shared(own.empty() || own == shared ? std::string() : std::move(shared)) {}

std::optional<std::string> Levels::takeWarning() const {
  if (std::optional<std::string> warning = own.takeWarning())
    return warning;
  return shared.takeWarning();
}

std::optional<Sections> Levels::find(const std::string &key) {
  if (std::optional<Sections> found = own.find(key))
    return found;
  std::optional<Sections> found = shared.find(key);
  if (found)
    own.put(key, *found);
  return found;
}

bool Levels::put(const std::string &key, const Sections &sections) {
  const bool isKept = own.put(key, sections);
  return shared.put(key, sections) || isKept;
}

} // namespace tegula::cache
