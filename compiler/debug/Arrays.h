// The arrays that a launch was given, by the names of its parameters.
#pragma once

#include "compiler/spec/ScalarKind.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tegula::debug {

struct Array {
  std::string name;
  uint64_t address = 0;
  ScalarKind type = ScalarKind::Float32;
  std::vector<int64_t> shape; ///< row-major

  uint64_t elements() const;
  uint64_t elementAddress(uint64_t index) const { return address + index * scalarKindBytes(type); }
  /// The index of the element at `address`; nothing outside of the array.
  std::optional<uint64_t> indexOf(uint64_t address) const;
  /// "out[3, 17]"; of an array of one dimension "out[17]".
  std::string elementName(uint64_t index) const;
};

/// Names the element of one of `arrays` that `address` points at: "x[48]", "x[48] + 2 bytes". Outside of all
/// it is one that the nearest array does not have, "x[64] of 64"; in hexadecimal where there are no arrays.
std::string addressText(llvm::ArrayRef<Array> arrays, uint64_t address);

/// A number as it is in memory.
struct Number {
  double real = 0;
  int64_t whole = 0; ///< of integers
  bool isFloat = false;
  bool isUndefined = false;
};
/// The number that `bits` of a type are.
Number numberOf(ScalarKind type, uint64_t bits);
/// Copies bytes of the memory of a launch. False where they are undefined, or not all are there.
using ReadMemory = std::function<bool(void *to, uint64_t address, uint32_t bytes)>;
/// The element `index`, which is undefined where `read` has none.
Number readElement(const ReadMemory &read, const Array &array, uint64_t index);
/// "1.5", "-3", "undefined"
std::string text(const Number &number);

/// Says how far a number may be off another: not at all by default.
struct Tolerance {
  double absolute = 0, relative = 0;

  /// Returns true if `found` is within the tolerance of `wanted`. A NaN is one.
  bool matches(const Number &wanted, const Number &found) const;
  bool isExact() const { return absolute == 0 && relative == 0; }
};
/// "atol=0.001, rtol=0.00195"
std::string text(const Tolerance &tolerance);
/// Returns the distance of two numbers: 0 of two NaNs, infinity where one alone is no finite number.
double distance(const Number &wanted, const Number &found);

/// An array as it should be.
struct Expected {
  Array array;
  ScalarKind type = ScalarKind::Float32; ///< of `data`, which may be more exact than the array
  std::vector<std::byte> data;           ///< as many elements
  Tolerance tolerance = {};
  bool isGiven = false; ///< by a person, who is told how near the array comes to it

  /// Returns true if `found` is within the tolerance of element `index`.
  bool matches(uint64_t index, const Number &found) const { return tolerance.matches(at(index), found); }
  Number at(uint64_t index) const;
};

} // namespace tegula::debug
