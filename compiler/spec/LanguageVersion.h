// Every fact about a version of Triton that decides what a program means. No other file compares version
// numbers: a new question gets a new field here, so that a new version is one row.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tegula {

/// One version of the language. Only what means something else from some version on is a field: names and
/// syntax that came later are known under every version.
struct LanguageVersion {
  /// "3.8": the name on command lines and in the environment.
  std::string_view name;
  /// "3.8.0": what `triton.__version__` says.
  std::string_view full;

  // Numbers.

  /// A constant that a jit function returns stays one; else it becomes a tensor where it is returned.
  bool keepsReturnedConstants;
  /// `-x` of a float flips the sign of x; else it is 0 - x, where -(+0) is +0.
  bool negationFlipsSign;
  /// `tl.fdiv(x, y, ieee_rounding=True)` of fp32 rounds to nearest; else that argument changes nothing.
  bool fdivRounds;
  /// `/` and `%` of 8-bit floats, with no wider float as the other operand, are computed in fp32 and stay so;
  /// else they give what `+` gives.
  bool dividesFloat8InFloat32;

  // Prints.

  /// `tl.device_print(hex=True)` prints floats in hexadecimal; else their bits, as an integer.
  bool printsFloatsInHex;

  // Checks of `debug`.

  /// `tl.expect_zero` asserts.
  bool assertsExpectedZeros;
  /// `tl.rand` and its kin reflect a negative word by its complement, which cannot overflow; else by -x - 1.
  bool randomReflectsByComplement;

  // Refusals.

  /// `x.exp()` and its kin take what `tl.exp` takes; else the method converts what the function refuses.
  bool checksTypesOfMethods;
  /// The unused result of a `must_use_result` function is refused for methods too.
  bool checksUnusedResultsOfMethods;
  /// Fields of an aggregate are set by its `__init__` alone; else by functions of its own too.
  bool fixesFieldsOfAggregates;
  /// `a, b = values` takes two values; else what is left of more is dropped.
  bool checksUnpackedCounts;
  /// `tl.topk` takes powers of two that fit; else it takes the next lower one of a number between two.
  bool checksCountsOfTopk;
  /// `tl.histogram` takes integers of 32 bits alone.
  bool checksTypesOfHistograms;
};

/// All versions, the oldest first.
std::span<const LanguageVersion> allLanguageVersions();

/// Returns the version that is meant by default.
const LanguageVersion &defaultLanguageVersion();

/// The version of this name, or null.
const LanguageVersion *lookupLanguageVersion(std::string_view name);

/// Returns the message for an unknown `name`: "unknown version `4.0` of Triton; known: `3.6`, ...".
std::string unknownLanguageVersion(std::string_view name);

} // namespace tegula
