// Evidence about the parameters of a kernel, as the walk over its text collects it.
#pragma once

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tegula::guess {

/// Numbers of parameters, from 0.
using ParameterSet = llvm::SmallBitVector;
/// The parameters that are added up in a value, in the order of the text; at most `maxSummands`.
using Summands = llvm::SmallVector<unsigned, 4>;
inline constexpr size_t maxSummands = 12;

/// Uses of a parameter's value.
enum class Use : uint8_t {
  Address,       ///< in an address, or as a bound of a range
  Integer,       ///< in `//`, `%`, a shift or a bitwise operation
  Shape,         ///< a side of a tensor
  Range,         ///< an end of `tl.arange`
  Unrolled,      ///< an end of `tl.static_range`
  DtypeArgument, ///< passed where a type belongs
  ComparedDtype, ///< compared with a type
  Truth,         ///< a condition by itself
  Text,          ///< compared with a text
  Precision,     ///< `input_precision`
  Modifier,      ///< `cache_modifier` and its like
};

/// Evidence about one parameter.
struct Evidence {
  bool has(Use use) const { return uses & 1u << unsigned(use); }
  void add(Use use) { uses |= 1u << unsigned(use); }

  uint32_t uses = 0;
  bool isNumber = false;       ///< takes part in products, comparisons and the like, as no pointer does
  bool isPointer = false;      ///< its `element_ty` is read
  bool holdsIndices = false;   ///< values loaded from it are part of addresses
  bool holdsIntegers = false;  ///< values loaded from it are operands of operations on integers
  bool holdsTruths = false;    ///< values loaded from it are masks
  bool holdsAddresses = false; ///< values loaded from it become pointers
  bool isDescriptor = false;   ///< has `load` or `store` called on it
  unsigned axes = 0;           ///< of a descriptor: offsets that it is called with
  bool isOfRows = false, isOfColumns = false; ///< part of what `[:, None]` and `[None, :]` stand behind
  bool isTuple = false;
  unsigned items = 0; ///< of a tuple: as many as numbers in brackets reach
  bool isCalled = false;
  bool isOptional = false;     ///< compared with None
  bool meetsLoaded = false;    ///< is combined with loaded values
  std::set<std::string> texts; ///< that it is compared with
  std::set<int64_t> integers;  ///< that it is compared with
};

/// Evidence about all parameters of a kernel.
struct Seen {
  std::vector<Evidence> parameters;
  std::vector<Summands> addresses; ///< of loads and stores, in the order of the text
  /// Values of which one or the other is taken: of the kind of one of them are both.
  std::vector<std::pair<Summands, Summands>> choices;
  /// Parameters whose value, or something loaded from them, is part of each name of the kernel.
  std::map<std::string, ParameterSet> names;
  bool hasDot = false;
};

} // namespace tegula::guess
