// Logs of what a launch writes to its arrays, write by write.
#pragma once

#include "compiler/debug/Arrays.h"

#include <vector>

namespace tegula::debug {

/// Says how an element changes.
enum class StoreKind : uint8_t {
  Store, ///< it becomes what is stored
  Swap,  ///< a compare-and-swap: what it does depends on the order of programs
  Add,   ///< this and the rest combine it with an operand, in any order
  And,
  Or,
  Xor,
  Min, ///< of integers with a sign
  Max,
  UMin,
  UMax
};

struct LoggedStore {
  uint64_t program = 0; ///< its number, x fastest; 0 where it is not known
  uint64_t index = 0;   ///< of the element
  uint64_t bits = 0;    ///< of what is stored, or of the operand
  uint32_t at = 0;      ///< where: the number of a moment, or a line of the code
  uint32_t thread = 0;  ///< that wrote, where there are some
  uint32_t order = 0;   ///< among the stores of a run
  uint16_t array = 0;   ///< among `StoreLog::arrays`
  StoreKind kind = StoreKind::Store;
};

/// The writes of a run, in the order in which they were made.
struct StoreLog {
  std::vector<Array> arrays;
  std::vector<LoggedStore> stores;
  bool knowsPrograms = true; ///< else blocks run several, and `program` is 0
  bool isCut = false;        ///< there were more than are kept

  /// More than any kernel writes that one looks at step by step, in 160 MiB.
  static constexpr size_t most = size_t(1) << 22;
  /// Adds what the `bytes` bytes at `address` become, or are combined with; `read` reads memory before they
  /// change. Does nothing where they are in none of the arrays.
  void add(LoggedStore store, uint64_t address, uint32_t bytes, const uint8_t *operands,
           const ReadMemory &read);
};

} // namespace tegula::debug
