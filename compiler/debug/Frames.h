// The calls and names of a program as it runs.
#pragma once

#include "compiler/debug/OpTable.h"
#include "compiler/interp/Interpreter.h"

#include "llvm/ADT/MapVector.h"

#include <string>
#include <vector>

namespace tegula::debug {

/// A name with what it is bound to now.
struct NamedValue {
  std::string type;        ///< in the source's words: "fp32[64, 64]", "uint32"
  std::string constant;    ///< the text of what was known when compiling, else empty
  interp::Tensor value;    ///< without a type where the name is a constant
  tile::SourcePlace place; ///< where the name was bound last
};
using NamedValues = llvm::MapVector<llvm::StringRef, NamedValue>;

/// A call that has not ended, in the statement that it is at.
struct CallFrame {
  Level at;
  NamedValues names;
};

/// Follows a program through its statements and calls.
class Frames {
public:
  /// The program begins anew.
  void clear() { calls.clear(); }

  /// Follows the program to an op. Tells `boundary` of each statement that begins with the op, from the
  /// outermost call inwards, with the number of calls around it; returns false as soon as that does.
  bool enter(const OpFacts &op, llvm::function_ref<bool(size_t depth)> boundary);
  /// Notes the value of a name that the op has bound.
  void bind(tile::BindOp op, const OpFacts &facts, const interp::Moment &moment);

  /// The calls, the kernel's own first.
  std::vector<CallFrame> calls;
};

} // namespace tegula::debug
