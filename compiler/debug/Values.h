// Values as a debugger shows and computes with them: numbers with sides, some of them undefined.
#pragma once

#include "compiler/debug/Arrays.h"
#include "compiler/debug/Frames.h"

namespace tegula::debug {

/// A number or a tensor of numbers, row-major. Integers are exact; truths are integers.
struct Value {
  enum Kind : uint8_t { Truth, Whole, Real } kind = Whole;
  std::vector<int64_t> shape;
  std::vector<double> reals;      ///< of Real
  std::vector<int64_t> wholes;    ///< of the others
  std::vector<uint8_t> undefined; ///< one an element; empty where all have a value
  std::string type;               ///< in the source's words, where it is known
  bool isRegister = false;        ///< `type` is the machine's word for it: no type of the language
  llvm::ArrayRef<Array> pointees; ///< of addresses: the launch's arrays, in one of which they may point

  size_t size() const { return kind == Real ? reals.size() : wholes.size(); }
  bool isUndefined(size_t index) const { return !undefined.empty() && undefined[index]; }
  double real(size_t index) const { return kind == Real ? reals[index] : double(wholes[index]); }
  /// Returns true if the elements are addresses of the program.
  bool isAddress() const {
    return kind == Whole && (type.starts_with("pointer<") || type.starts_with("const_pointer<"));
  }
  /// Appends an element.
  void add(double number);
  void add(int64_t number);
  void add(const Number &number);
  void addUndefined();
  void append(const Value &from, size_t index);

  static Value of(double number);
  static Value of(int64_t number);
  static Value of(bool truth);
};

/// The numbers of a value of the program; nothing of a view. Addresses are shown as elements of `arrays`,
/// which have to outlive the value.
std::optional<Value> valueOf(const NamedValue &named, llvm::ArrayRef<Array> arrays = {});
/// The numbers of an array in memory, at most `limit` of them.
Value valueOf(const ReadMemory &read, const Array &array, uint64_t limit);

/// One element: "1.5", "-3", "True", "undefined"; of an address "x[48]", or `addressText`.
std::string elementText(const Value &value, size_t index);
/// "fp32[64, 64] min -1.2 max 3.4 mean 0.5, 2 NaN, 5 undefined"; of a number the number; of addresses
/// "pointer<fp32>[64] at x[0] to x[63]".
std::string summary(const Value &value);
/// The elements with brackets around rows, of each side at most `edge` at both ends.
std::string elementsText(const Value &value, size_t edge = 4);
/// Describes in one line what a name is bound to; addresses as elements of `arrays`.
std::string describe(const NamedValue &named, llvm::ArrayRef<Array> arrays = {});

} // namespace tegula::debug
