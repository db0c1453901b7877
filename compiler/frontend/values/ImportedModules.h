// The files that the imports of a program lead to: each is looked for, read and parsed once, on first use.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"
#include "compiler/spec/ModuleLoader.h"

#include <deque>
#include <mutex>

namespace tegula {

/// A file that was found. Its text is there, its tree when it is first asked for.
class ImportedModule {
public:
  ImportedModule(std::string name, std::shared_ptr<const SourceFile> file)
      : moduleName(std::move(name)), source(std::move(file)) {}
  /// The program's own file, which a module may import too.
  explicit ImportedModule(const ast::Module &own);

  const std::string &name() const { return moduleName; } ///< "pkg.utils"
  const std::shared_ptr<const SourceFile> &file() const { return source; }
  const std::string &path() const { return source->path(); }
  bool isPackage() const; ///< what `import` finds in its folder are its attributes

  /// Parses at the first call. Thread safe.
  const ast::Module &tree() const;
  /// Returns the mistakes in the text; none where it may be evaluated.
  const std::vector<Diagnostic> &errors() const;

private:
  std::string moduleName;
  std::shared_ptr<const SourceFile> source;
  mutable std::once_flag once;
  mutable std::unique_ptr<ast::Module> owned;
  mutable const ast::Module *parsed = nullptr;
  mutable std::vector<Diagnostic> problems;
};

/// The files around a program. A file that was found stays as it was read for as long as this lives. Thread
/// safe.
class ImportedModules {
public:
  /// `own` is the program's file, whose path the imports of that file go out from.
  ImportedModules(ImportOptions options, const ast::Module &own);

  struct Found {
    FoundModule::Kind kind = FoundModule::Absent;
    const ImportedModule *module = nullptr; ///< of a File
    std::string problem;
    std::string summary; ///< a line that tells this answer from others: the path, and a hash of the text
    std::string version; ///< as in FoundModule, of a text with this summary
  };
  /// The answer to `request`; the same object for the same request.
  const Found &find(const ModuleRequest &request);

  /// Returns true if files are looked for at all.
  bool canLook() const { return options.loader != nullptr; }
  /// Returns the value that `path`, such as "pkg.utils.IS_AMD", was given, or null.
  const BoundValue *given(const std::string &path) const;
  /// Returns true if something in the module or object `path` was given a value.
  bool isGivenWithin(const std::string &path) const;

  /// Returns a variable of the environment, as it was on first use.
  const EnvironmentVariable &variable(const std::string &name);

  /// All requests so far, each with what the answer was: paths, and hashes of texts.
  std::string record() const;
  /// Returns true if the requests of such a record have the same answers here.
  bool agreesWith(const std::string &record);
  /// Returns true if all requests so far would be answered in the same way now. Reads files only where they
  /// have been touched.
  bool isCurrent();

  /// The files that were found.
  std::vector<std::shared_ptr<const SourceFile>> files() const;

private:
  /// Asks the loader; a module that it does not find may be one of the compiler's own.
  FoundModule look(const ModuleRequest &request, const std::string &version) const;
  const ImportedModule *keep(FoundModule found);
  bool isCurrent(const ModuleRequest &request, Found &answer) const;

  const ImportOptions options;
  mutable std::mutex mutex; ///< guards what follows
  std::map<ModuleRequest, Found> answers;
  std::map<std::string, EnvironmentVariable> variables;
  std::map<std::string, const ImportedModule *> byPath; ///< paths in their plainest form
  std::deque<ImportedModule> modules;
};

} // namespace tegula
