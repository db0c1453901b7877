// Reads the files that a program imports, for the compiler, which opens none itself.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <optional>

namespace tegula {

/// A request of `import`: `from ..b.c import x` in the file `importer` has the level 2 and the name "b.c".
struct ModuleRequest {
  std::string importer; ///< the path of a file, as it was handed in
  uint32_t level = 0;   ///< leading dots: 0 for a name that begins at the top, 1 for the folder of `importer`
  std::string name;     ///< may be empty where there are dots
  auto operator<=>(const ModuleRequest &) const = default;
};

/// Result of a request.
struct FoundModule {
  enum Kind : uint8_t {
    Absent,     ///< there is no such module
    Unreadable, ///< there is, and `problem` says why it cannot be read
    File,
  };
  Kind kind = Absent;
  std::string name = {}; ///< from the top, "pkg.utils"
  /// The path of the file; of a package that of its `__init__.py`, which is empty where the folder has none.
  std::string path = {};
  std::string text = {};
  std::string problem = {}; ///< a phrase: "cannot read `utils.py`: permission denied"
  /// Identifies a File among all others and changes with it, so that it need not be read; empty where only
  /// the text tells.
  std::string version = {};
};

/// A variable of the environment, as far as its value is given.
struct EnvironmentVariable {
  bool isKnown = false;                 ///< whether `text` says anything
  std::optional<std::string> text = {}; ///< absent of one that is not set
  bool operator==(const EnvironmentVariable &) const = default;
};

/// Finds modules. Called from any thread, one call at a time for one program.
class ModuleLoader {
public:
  virtual ~ModuleLoader() = default;
  virtual FoundModule find(const ModuleRequest &request) const = 0;
  /// The same for who has the text of `version`, which is not empty: where the file is still at it, the text
  /// may be left out.
  virtual FoundModule findNewer(const ModuleRequest &request, const std::string &version) const {
    return find(request);
  }
  /// Returns a variable of the environment that the program's own Python would see.
  virtual EnvironmentVariable variable(const std::string &name) const { return {}; }
};

/// Meaning of a file's imports, apart from the modules of the language.
struct ImportOptions {
  std::shared_ptr<const ModuleLoader> loader; ///< null: no other file is read
  /// Values of names in modules that override the modules' own: "pkg.utils.IS_AMD", or
  /// "pkg.utils.is_amd()" for what a function gives without arguments.
  std::map<std::string, BoundValue> values;
};

} // namespace tegula
