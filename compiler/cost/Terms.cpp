#include "compiler/cost/Terms.h"

#include <algorithm>

namespace tegula::cost {

double Section::flops() const {
  double sum = 0;
  for (const ProductTerms &product : products)
    sum += product.flops();
  return sum;
}

/// The bytes of those accesses that `counts` picks.
template <typename Counts> static double bytesOf(const Section &section, Counts counts) {
  double sum = 0;
  for (const AccessTerms &access : section.accesses)
    sum += counts(access) ? access.bytes : 0;
  return sum;
}

double Section::loadedBytes() const {
  return bytesOf(*this, [](const AccessTerms &access) { return !access.isStore; });
}
double Section::storedBytes() const {
  return bytesOf(*this, [](const AccessTerms &access) { return access.isStore; });
}
double Section::stagedBytes() const {
  return bytesOf(*this, [](const AccessTerms &access) { return access.feedsDot; });
}

bool KernelTerms::hasLoop() const {
  return std::any_of(sections.begin(), sections.end(),
                     [](const Section &section) { return section.depth > 0; });
}
/// The sum of `amount` over all sections, as often as each is executed.
static double sumOf(const KernelTerms &terms, double (Section::*amount)() const) {
  double sum = 0;
  for (const Section &section : terms.sections)
    sum += section.times * (section.*amount)();
  return sum;
}

double KernelTerms::flops() const { return sumOf(*this, &Section::flops); }
double KernelTerms::loadedBytes() const { return sumOf(*this, &Section::loadedBytes); }
double KernelTerms::storedBytes() const { return sumOf(*this, &Section::storedBytes); }

} // namespace tegula::cost
