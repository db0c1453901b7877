// Variables as the protocol shows them: by number, valid until the program goes on, and in pages.
#pragma once

#include "compiler/debug/Expression.h"
#include "compiler/debug/Scope.h"

#include "llvm/Support/JSON.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tegula::cli {

class DapVariables {
public:
  /// The names of a call, as expressions know them; asked for anew each time.
  using ScopeOf = std::function<debug::Scope(size_t frame)>;
  explicit DapVariables(ScopeOf scopeOf) : scopeOf(std::move(scopeOf)) {}

  /// The program goes on: all numbers are void.
  void clear() { kept.clear(); }

  /// The scopes of a call: its names, and the launch's arrays.
  llvm::json::Array scopes(size_t frame);
  /// The scope of the launch's arrays.
  llvm::json::Object arrayScope();
  /// The number of a variable whose children `make` returns when they are asked for.
  using MakeChildren = std::function<llvm::json::Array()>;
  int64_t keepChildren(MakeChildren make) { return keep(std::move(make)); }
  /// A value by its name; with sides it has children.
  llvm::json::Object shown(const std::string &name, const std::string &expression, const debug::Value &value);
  /// The children `start` to `start + count` of a variable, all for a count of 0. Nothing for an unknown
  /// number.
  std::optional<llvm::json::Array> children(int64_t number, size_t start, size_t count);
  /// The value of an expression in a call, as `evaluate` answers. Nothing, with `error` set, where it has
  /// none.
  std::optional<llvm::json::Object> evaluate(const std::string &expression, size_t frame, std::string &error);
  /// The elements of a value by rows, for pictures: numbers, "nan", "inf" and "-inf", and null where
  /// undefined.
  static llvm::json::Object elements(const debug::Value &value);
  /// Those of the value of an expression in a call.
  std::optional<llvm::json::Object> tile(const std::string &expression, size_t frame, std::string &error);

private:
  struct Names {
    size_t frame;
  };
  struct Arrays {};
  /// A part of a value: the elements from `first` on, with the sides from `dim` on.
  struct Part {
    std::shared_ptr<const debug::Value> value;
    size_t dim, first;
  };
  using Kept = std::variant<Names, Arrays, Part, MakeChildren>;

  int64_t keep(Kept what);
  llvm::json::Object shown(const std::string &name, const debug::NamedValue &value,
                           llvm::ArrayRef<debug::Array> arrays);
  llvm::json::Array childrenOf(const Part &part, size_t start, size_t count);

  ScopeOf scopeOf;
  std::deque<Kept> kept;
};

} // namespace tegula::cli
