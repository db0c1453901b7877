// The variables of one function call.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"
#include "compiler/frontend/values/Value.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"

namespace tegula::eval {

struct Binding {
  Value value;
  SourceRange range;        ///< of the name where it was last assigned
  bool isConstexpr = false; ///< declared `name: tl.constexpr`, which may not change
  /// Assigned on one side of a branch or in a loop only: the value is Poison, and reading it an error.
  bool isPartial = false;

  /// The binding after what assigns it, which may not have run.
  Binding partial() const { return {Poison(), range, isConstexpr, /*isPartial=*/true}; }
};

/// Names to values, in the order of their first assignment, so that what is made from them is
/// deterministic. `outer` is that of the function or lambda around a lambda or comprehension.
class Scope {
public:
  explicit Scope(const Scope *outer = nullptr) : outer(outer) {}

  const Binding *find(std::string_view name) const {
    for (const Scope *scope = this; scope; scope = scope->outer)
      if (auto found = scope->bindings.find(llvm::StringRef(name)); found != scope->bindings.end())
        return &found->second;
    return nullptr;
  }
  const Binding *findHere(std::string_view name) const {
    auto found = bindings.find(llvm::StringRef(name));
    return found == bindings.end() ? nullptr : &found->second;
  }
  void set(std::string_view name, Binding binding) { bindings[llvm::StringRef(name)] = binding; }

  using Bindings = llvm::MapVector<llvm::StringRef, Binding>;
  Bindings bindings;
  const Scope *outer;
};

} // namespace tegula::eval
