// Finds what goes wrong in an op without ending the program: the first NaN, an address that overflows.
#pragma once

#include "compiler/debug/OpTable.h"
#include "compiler/interp/Interpreter.h"

#include <optional>
#include <string_view>

namespace tegula::debug {

/// A finding in one element of a result.
struct Finding {
  std::string text; ///< lower case, no full stop
  unsigned result = 0;
  size_t element = 0;
};

/// The text of a finding that is a NaN.
constexpr std::string_view nanIsMade = "a NaN is made here of values that are none";

/// Finds a NaN that comes from operands without one, or an infinity that comes from finite operands. What is
/// loaded, constant or chosen is not made. Undefined elements are passed over.
std::optional<Finding> findNotFinite(const interp::Moment &moment);

/// Finds a sum, difference or product of 32 bits that does not fit, where an address is computed from it.
std::optional<Finding> findOverflow(const interp::Moment &moment, AddressRole role);

/// Finds a sum, difference or product of integers that does not fit its type, which is the language's: with a
/// sign unless ops that use the value or names say otherwise.
std::optional<Finding> findWrap(const interp::Moment &moment);

} // namespace tegula::debug
