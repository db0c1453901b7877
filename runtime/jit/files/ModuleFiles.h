// The modules that a file of kernels imports, as files: where Python would look, without asking it.
#pragma once

#include "compiler/spec/ModuleLoader.h"

#include <string>
#include <vector>

namespace tegula::jit {

/// Places of the modules that a file imports, and values that override those of names in them.
struct ImportSearch {
  /// Look next to the file, and in the packages that contain it.
  bool searchesOwnFolder = false;
  std::vector<std::string> folders;
  std::map<std::string, BoundValue> values; ///< as in ImportOptions

  /// Equal for equal searches.
  std::string identity() const;
  /// For the file `path`.
  ImportOptions options(const std::string &path) const;
};

/// Finds a module by its name next to the file, then in the folder of its outermost package (a package is a
/// folder with an `__init__.py`), then in the folder around each folder above the file that has the name's
/// first part as its name, then in `folders`. A name with dots in front is found from the importing file's
/// folder. In a folder a package comes before a file, and a file before a folder without `__init__.py`, which
/// counts as a package with an empty one where nothing else is found.
class ModuleFiles : public ModuleLoader {
public:
  /// `file` is the program's own, or empty for one that has no place.
  ModuleFiles(std::string file, std::vector<std::string> folders)
      : file(std::move(file)), folders(std::move(folders)) {}

  FoundModule find(const ModuleRequest &request) const override { return findNewer(request, {}); }
  FoundModule findNewer(const ModuleRequest &request, const std::string &version) const override;
  /// Returns a variable of this process, as a Python that ran the program in its place would see it.
  EnvironmentVariable variable(const std::string &name) const override;

private:
  std::vector<std::string> rootsOf(const std::string &top) const;

  const std::string file;
  const std::vector<std::string> folders;
};

} // namespace tegula::jit
