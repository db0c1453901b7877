// Names that no function binds: of the file, of other modules, and those that a host has bound.
#pragma once

#include "compiler/frontend/eval/names/BoundNames.h"
#include "compiler/frontend/eval/names/ModuleNames.h"

#include <map>
#include <set>

namespace tegula::eval {

class Names final : public ModuleNames {
public:
  explicit Names(Evaluation &evaluator);
  ~Names();

  std::optional<Value> importModule(const Unit &unit, uint32_t level, std::string_view path,
                                    SourceRange range) override;
  std::optional<Value> fileAttribute(const FileModule &module, std::string_view name,
                                     SourceRange range) override;
  bool setAttribute(const Value &object, std::string_view name, const Value &value) override;
  std::optional<Value> givenValue(std::string_view path) override;
  Globals &globalsOf(const Unit &unit) override;

  /// Finds what `name` means in `unit`, functions around it left out; absent where nothing binds it.
  std::optional<Value> find(const Unit &unit, std::string_view name, SourceRange range);
  /// The same in the functions around `holder`, too, which becomes the unit that binds it.
  std::optional<Value> findAround(const Unit *&holder, std::string_view name, SourceRange range);
  /// Reads `name`, which no variable of the function at work is; Poison after a report.
  Value read(const Unit &unit, std::string_view name, SourceRange range);
  /// Returns an attribute of a module or of an object of the host, as code at work reads it, which may be a
  /// kernel; absent where there is none, or for any other object.
  std::optional<Value> attribute(const Value &object, std::string_view name, SourceRange range);
  /// Returns the attribute `name` of an object without a value, where it or a part of it was given one.
  std::optional<Value> givenAttribute(const UnknownOrigin &origin, std::string_view name, SourceRange range);
  /// Returns the result that was given for `callee` of another file, whatever its arguments.
  std::optional<Value> givenResult(const Value &callee);

  BoundNames bound;

private:
  std::optional<Value> readableAttribute(const FileModule &module, std::string_view name, SourceRange range);
  Value undefinedName(std::string_view name, SourceRange range);
  std::string circleTo(const Unit &unit) const;

  Evaluation &evaluator;
  std::deque<std::pair<const Unit *, std::unique_ptr<Globals>>> globals;
  /// Attributes that files have added to modules, by the module's own address or number and the name.
  std::map<std::pair<uintptr_t, std::string>, Value> added;
  /// Names that nothing binds, each with the function that reads it.
  std::set<std::pair<const ast::FunctionStmt *, std::string>> undefined;
};

} // namespace tegula::eval
