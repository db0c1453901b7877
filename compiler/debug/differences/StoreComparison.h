// The first write at which two runs of a launch part.
//
// Two runs write the elements of an array in other orders, but each program writes one element in the order
// of the source. So writes are compared for each program and element apart; where one program alone writes an
// element, whichever it is in either run.
#pragma once

#include "compiler/debug/StoreLog.h"

#include <optional>
#include <vector>

namespace tegula::debug {

/// A write that one of two runs makes otherwise.
struct StoreDifference {
  LoggedStore here;                    ///< void if the other run alone writes the element
  Number found, expected;              ///< here, there
  bool isHere = true;                  ///< this run writes the element
  bool isThere = true;                 ///< the other run does
  uint32_t there = 0;                  ///< where, in the other run
  uint64_t differing = 0, written = 0; ///< elements that the store writes otherwise, and all
};

struct StoreComparison {
  std::optional<StoreDifference> first; ///< by `LoggedStore::at` of this run
  uint64_t stores = 0, elements = 0;    ///< that were compared
  uint64_t skipped = 0;                 ///< elements whose writes depend on the order of programs
};

/// Compares what two runs have written, each element within the tolerance of its array. Stores that another
/// one of the program follows may be missing `there`: a compiler removes them. The first difference is one of
/// `program`, where that is given.
StoreComparison compareStores(const StoreLog &here, const StoreLog &there,
                              const std::vector<Tolerance> &tolerances, std::optional<uint64_t> program = {});

} // namespace tegula::debug
