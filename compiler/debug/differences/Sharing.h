// Elements that one program writes and another one uses: where races may be, which programs that run one
// after the other do not have.
#pragma once

#include "compiler/debug/Arrays.h"
#include "compiler/interp/Interpreter.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula::debug {

class Sharing {
public:
  /// Follows elements of `arrays`, which outlive it; of none where there are too many.
  explicit Sharing(llvm::ArrayRef<Array> arrays);

  /// Notes that a program reads or writes memory, other than atomically.
  void use(const interp::Grid &program, uint64_t address, bool isWrite);
  /// Returns "`out[0]` is written by program (0, 0, 0) and read by program (1, 0, 0)", of the first element
  /// that is shared; empty where none is.
  const std::string &text() const { return found; }

private:
  /// The programs that have used an element.
  struct Uses {
    std::optional<interp::Grid> writer, reader, otherReader;
  };

  llvm::ArrayRef<Array> arrays;
  std::vector<std::vector<Uses>> uses;
  std::string found;
};

} // namespace tegula::debug
