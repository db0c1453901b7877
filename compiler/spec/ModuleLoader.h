// The files that a program imports, as whoever may read files hands them in: the compiler itself opens none.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <optional>

namespace tegula {

/// What `import` asks for: `from ..b.c import x` in the file `importer` has the level 2 and the name "b.c".
struct ModuleRequest {
  std::string importer; ///< the path of a file, as it was handed in
  uint32_t level = 0;   ///< leading dots: 0 for a name that begins at the top, 1 for the folder of `importer`
  std::string name;     ///< may be empty where there are dots
  auto operator<=>(const ModuleRequest &) const = default;
};

/// What came of a request.
struct FoundModule {
  enum Kind : uint8_t {
    Absent,     ///< there is no such module
    Unreadable, ///< there is, and `problem` says why nobody can read it
    File,
  };
  Kind kind = Absent;
  std::string name = {}; ///< from the top, "pkg.utils"
  /// Of the file; of a package its `__init__.py`, which is empty where the folder has none.
  std::string path = {};
  std::string text = {};
  std::string problem = {}; ///< a phrase: "cannot read `utils.py`: permission denied"
  /// Of a File: tells it from every other and changes whenever it does, so that it need not be read to know;
  /// empty where only the text tells.
  std::string version = {};
};

/// What a variable of the environment holds, as far as somebody says.
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
  /// What the environment holds that the program's own Python would see.
  virtual EnvironmentVariable variable(const std::string &name) const { return {}; }
};

/// What the imports of a file mean, apart from the modules of the language.
struct ImportOptions {
  std::shared_ptr<const ModuleLoader> loader; ///< null: no other file is read
  /// What names of modules are worth, whatever the modules say: "pkg.utils.IS_AMD", or
  /// "pkg.utils.is_amd()" for what a function gives without arguments.
  std::map<std::string, BoundValue> values;
};

} // namespace tegula
