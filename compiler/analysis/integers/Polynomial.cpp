#include "compiler/analysis/integers/Polynomial.h"

#include "llvm/ADT/STLExtras.h"

namespace tegula {

void Polynomial::add(const Product &product, int64_t factor) {
  // A sum that wraps here would have wrapped in the kernel.
  int64_t &sum = terms[product];
  sum = int64_t(uint64_t(sum) + uint64_t(factor));
  if (sum == 0)
    terms.erase(product);
}

Polynomial Polynomial::term(const Product &product, int64_t factor) {
  Polynomial result;
  result.add(product, factor);
  return result;
}

std::optional<int64_t> Polynomial::constant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

std::optional<Polynomial::Symbol> Polynomial::single() const {
  if (terms.size() != 1 || terms.begin()->first.size() != 1 || terms.begin()->second != 1)
    return std::nullopt;
  return terms.begin()->first.front();
}

bool Polynomial::has(Symbol symbol) const {
  return llvm::any_of(terms, [&](const auto &term) { return llvm::is_contained(term.first, symbol); });
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial sum = *this;
  for (const auto &[product, factor] : other.terms)
    sum.add(product, factor);
  return sum;
}

Polynomial Polynomial::operator-(const Polynomial &other) const { return *this + other * Polynomial(-1); }

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial result;
  for (const auto &[left, a] : terms)
    for (const auto &[right, b] : other.terms) {
      Product product = left;
      product.append(right);
      llvm::sort(product);
      result.add(product, int64_t(uint64_t(a) * uint64_t(b)));
    }
  return result;
}

Polynomial Polynomial::takeFactor(Symbol symbol) {
  Polynomial cofactor, rest;
  for (const auto &[product, factor] : terms) {
    const auto *place = llvm::find(product, symbol);
    if (place == product.end()) {
      rest.add(product, factor);
      continue;
    }
    Product others = product;
    others.erase(others.begin() + (place - product.begin()));
    cofactor.add(others, factor);
  }
  *this = std::move(rest);
  return cofactor;
}

Polynomial Polynomial::takeMultiples(int64_t divisor) {
  Polynomial cofactor, rest;
  for (const auto &[product, factor] : terms)
    if (factor % divisor == 0)
      cofactor.add(product, factor / divisor);
    else
      rest.add(product, factor);
  *this = std::move(rest);
  return cofactor;
}

} // namespace tegula
