#include "runtime/jit/files/ModuleFiles.h"

#include "compiler/driver/CompileResult.h"
#include "runtime/host/Files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ranges>

namespace tegula::jit {

namespace fs = std::filesystem;

namespace {

/// Folders within each other; more are not a program's.
constexpr uint32_t maxDepth = 64;

bool isFolder(const fs::path &path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

bool isThere(const fs::path &path) {
  std::error_code none;
  return fs::exists(path, none);
}

bool isPackage(const fs::path &folder) { return isThere(folder / "__init__.py"); }

/// The folder of a file, or around a folder: as it was spelled, as far as that leads.
fs::path folderOf(const fs::path &file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}
fs::path folderAround(const fs::path &folder) { return (folder / "..").lexically_normal(); }

/// "pkg" of "/home/me/pkg", also where `folder` is "." in it.
std::string nameOf(const fs::path &folder) {
  std::error_code none;
  const fs::path whole = fs::absolute(folder, none).lexically_normal();
  return (whole.has_filename() ? whole.filename() : whole.parent_path().filename()).string();
}

/// The package that `folder` is, "pkg.ops", or empty.
std::string packageName(fs::path folder) {
  std::string name;
  for (uint32_t depth = 0; depth < maxDepth && isPackage(folder); ++depth) {
    name = nameOf(folder) + (name.empty() ? "" : ".") + name;
    folder = folderAround(folder);
  }
  return name;
}

/// Returns the full name of module `name` of `folder`; of the folder itself where it is empty.
std::string nameWithin(const fs::path &folder, const std::string &name) {
  const std::string package = packageName(folder);
  if (name.empty())
    return package.empty() ? nameOf(folder) : package;
  return package.empty() ? name : package + "." + name;
}

/// The file or folder that a name leads to.
struct Place {
  fs::path path;
  bool isFolderOnly = false; ///< without an `__init__.py`
};

Place initOf(const fs::path &folder) { return {folder / "__init__.py", !isPackage(folder)}; }

/// The module that the last of `parts` names, each of which stands in the one before, the first in `folder`.
std::optional<Place> descend(fs::path folder, const std::vector<std::string> &parts) {
  for (size_t i = 0; i < parts.size(); ++i) {
    const fs::path inner = folder / parts[i], file = folder / (parts[i] + ".py");
    const bool isFile = isThere(file);
    if (isFile && !isPackage(inner))
      return i + 1 == parts.size() ? std::optional<Place>({file}) : std::nullopt;
    if (!isFolder(inner))
      return std::nullopt;
    folder = inner;
  }
  return initOf(folder);
}

/// Returns true if a module can have this name: it does not lead out of a folder, as "" or "a/b" would.
bool isName(const std::string &part) { return !part.empty() && part.find('/') == part.npos; }

/// "a" and "b" of "a.b"; none of an empty name.
std::vector<std::string> partsOf(const std::string &name) {
  std::vector<std::string> parts;
  for (const auto part : std::views::split(name, '.'))
    parts.emplace_back(part.begin(), part.end());
  return parts;
}

/// `path` without detours, so that two ways to a file are one: seen from the working directory where it was
/// spelled so.
std::string shortest(const fs::path &path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed).lexically_normal(), here = fs::current_path(failed);
  if (failed)
    return path.lexically_normal().string();
  return (path.is_relative() ? whole.lexically_proximate(here) : whole).string();
}

/// Reads what is not at `version`.
FoundModule readModule(const Place &place, std::string name, const std::string &version) {
  FoundModule found{.kind = FoundModule::File, .name = std::move(name)};
  found.path = shortest(place.path);
  if (place.isFolderOnly)
    return found;
  // Before it is read: what is written meanwhile makes another version.
  found.version = runtime::fileVersion(found.path);
  if (!version.empty() && found.version == version)
    return found;
  runtime::Result<std::string> text = runtime::readFile(found.path, SourceFile::maxBytes);
  if (text) {
    found.text = std::move(*text);
  } else {
    found.kind = FoundModule::Unreadable;
    found.problem = text.error().text;
  }
  return found;
}

} // namespace

std::string ImportSearch::identity() const {
  std::string text = fmt::format("imports {} {}\n", searchesOwnFolder, folders.size());
  for (const std::string &folder : folders)
    text += fmt::format("{} {}\n", folder.size(), folder);
  for (const auto &[name, value] : values)
    text += fmt::format("{}={}\n", name, keyOf(value));
  return text;
}

ImportOptions ImportSearch::options(const std::string &path) const {
  ImportOptions options{.loader = nullptr, .values = values};
  if (searchesOwnFolder || !folders.empty())
    options.loader = std::make_shared<ModuleFiles>(searchesOwnFolder ? path : std::string(), folders);
  return options;
}

/// The folders in which a module of this name may stand, in the order of the search.
std::vector<std::string> ModuleFiles::rootsOf(const std::string &top) const {
  std::vector<std::string> roots;
  if (!file.empty()) {
    fs::path folder = folderOf(file);
    roots.push_back(folder.string());
    bool isInPackage = true;
    for (uint32_t depth = 0; depth < maxDepth; ++depth) {
      const std::string name = nameOf(folder);
      if (name.empty())
        break;
      const bool leavesPackage = isInPackage && !isPackage(folder) && depth > 0;
      isInPackage = isInPackage && isPackage(folder);
      if (leavesPackage)
        roots.push_back(folder.string());
      folder = folderAround(folder);
      if (name == top)
        roots.push_back(folder.string());
    }
  }
  roots.insert(roots.end(), folders.begin(), folders.end());
  return roots;
}

EnvironmentVariable ModuleFiles::variable(const std::string &name) const {
  const char *text = std::getenv(name.c_str());
  return {.isKnown = true, .text = text ? std::optional<std::string>(text) : std::nullopt};
}

FoundModule ModuleFiles::findNewer(const ModuleRequest &request, const std::string &version) const {
  if (request.level > maxDepth || (request.level == 0 && request.name.empty()))
    return {};
  const std::vector<std::string> parts = partsOf(request.name);
  if (!std::all_of(parts.begin(), parts.end(), isName))
    return {};
  if (request.level > 0) {
    // A text from memory has no folder.
    if (file.empty() && !fs::path(request.importer).has_parent_path())
      return {};
    fs::path folder = folderOf(request.importer);
    for (uint32_t up = 1; up < request.level; ++up)
      folder = folderAround(folder);
    const std::optional<Place> place = descend(folder, parts);
    return place ? readModule(*place, nameWithin(folder, request.name), version) : FoundModule();
  }
  std::optional<Place> bare;
  for (const std::string &root : rootsOf(parts.front())) {
    const std::optional<Place> place = descend(root, parts);
    if (place && !place->isFolderOnly)
      return readModule(*place, request.name, version);
    if (place && !bare)
      bare = place;
  }
  return bare ? readModule(*bare, request.name, version) : FoundModule();
}

} // namespace tegula::jit
