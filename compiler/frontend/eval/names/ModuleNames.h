// The modules of a program as the parts that evaluate names see them.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

class Globals;

class ModuleNames {
public:
  /// Evaluates `import path` with `level` leading dots in `unit`: a module of the language or a file. Nothing
  /// where there is none; Poison, after a report, where there is one that cannot be read.
  virtual std::optional<Value> importModule(const Unit &unit, uint32_t level, std::string_view path,
                                            SourceRange range) = 0;
  /// Returns the value that a file binds to `name`, or the module of that name in its package.
  virtual std::optional<Value> fileAttribute(const FileModule &module, std::string_view name,
                                             SourceRange range) = 0;
  /// Adds an attribute to a module of the language or of a file. False for any other object.
  virtual bool setAttribute(const Value &object, std::string_view name, const Value &value) = 0;
  /// Returns the value given for `path`, "pkg.utils.IS_AMD", which overrides that module's.
  virtual std::optional<Value> givenValue(std::string_view path) = 0;
  virtual Globals &globalsOf(const Unit &unit) = 0;

protected:
  ~ModuleNames() = default;
};

} // namespace tegula::eval
