// The names of an expression where a launch is stopped.
#pragma once

#include "compiler/debug/Values.h"

#include "llvm/ADT/ArrayRef.h"

#include <functional>
#include <optional>

namespace tegula::debug {

/// The names that a debugger knows. What they refer to must outlive the scope.
struct Scope {
  const NamedValues *names = nullptr; ///< of a call; null where none runs
  llvm::ArrayRef<Array> arrays;       ///< of the launch
  ReadMemory read;
  std::optional<interp::Grid> program{}; ///< which `pid0`, `pid1` and `pid2` mean, where it is known
  /// Finds other names, such as those of registers; may be empty.
  std::function<std::optional<Value>(llvm::StringRef name)> others;
  llvm::ArrayRef<Expected> expected{}; ///< what `expected(out)` gives

  /// The value of a name of the call; null where it has none.
  const NamedValue *find(llvm::StringRef name) const;
  /// The array that a name means: one of the launch, if nothing but its address has that name in the call.
  const Array *array(llvm::StringRef name) const;
};

/// The array of this name; null where there is none.
const Array *arrayNamed(llvm::ArrayRef<Array> arrays, llvm::StringRef name);

} // namespace tegula::debug
