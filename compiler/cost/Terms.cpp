#include "compiler/cost/Terms.h"

#include <algorithm>

namespace tegula::cost {

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

} // namespace tegula::cost
