// Sums of products of scalars, as offsets and coordinates are computed: `64 * iteration + first`, `row *
// stride`.
//
// Integers are taken not to wrap: the kernel's author computes the places of elements with them.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <optional>

namespace tegula {

/// A polynomial over symbols, which are numbers that their user gives a meaning.
class Polynomial {
public:
  using Symbol = unsigned;
  using Product = llvm::SmallVector<Symbol, 2>; ///< in ascending order, with repetition; none: one

  Polynomial() = default;
  Polynomial(int64_t constant) { add({}, constant); }
  static Polynomial term(const Product &product, int64_t factor = 1);
  static Polynomial symbol(Symbol symbol) { return term({symbol}); }

  bool isZero() const { return terms.empty(); }
  /// The number that it is, where it is one.
  std::optional<int64_t> constant() const;
  /// The one symbol that it is, where it is one alone.
  std::optional<Symbol> single() const;
  bool has(Symbol symbol) const;

  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const;
  Polynomial operator*(const Polynomial &other) const;
  bool operator==(const Polynomial &) const = default;

  /// Takes the terms that are multiples of `symbol` away, and returns what they are multiplied with.
  Polynomial takeFactor(Symbol symbol);

  /// Takes the terms that are multiples of the number `divisor` away, and returns what it is multiplied with.
  Polynomial takeMultiples(int64_t divisor);

  /// Products with what each is multiplied with, in an order of their own.
  const std::map<Product, int64_t> &products() const { return terms; }

private:
  void add(const Product &product, int64_t factor);

  std::map<Product, int64_t> terms; ///< none with a factor of zero
};

} // namespace tegula
