#include "compiler/debug/differences/StoreComparison.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace tegula::debug {

namespace {

using Stores = std::span<const LoggedStore>;

/// The writes of an element that store are compared apart from those that combine.
auto keyOf(const LoggedStore &one) { return std::tuple(one.array, one.index, one.kind != StoreKind::Store); }

class Comparison {
public:
  Comparison(const StoreLog &here, const StoreLog &there, const std::vector<Tolerance> &tolerances,
             std::optional<uint64_t> program)
      : arrays(here.arrays), knowsPrograms(there.knowsPrograms), tolerances(tolerances), program(program),
        mine(sorted(here, here.arrays)), others(sorted(there, here.arrays)) {}

  StoreComparison compare();

private:
  /// The writes by their keys, of arrays that both runs have; those of one key in the order in which they
  /// were made.
  std::vector<LoggedStore> sorted(const StoreLog &log, const std::vector<Array> &names);
  /// The writes of the key that `at` begins with.
  static Stores groupAt(const std::vector<LoggedStore> &all, size_t at);
  void compareElement(Stores here, Stores there);
  /// Compares writes of one element, by one program or of an atomic operation.
  void compareWrites(Stores here, Stores there);
  void compareStored(Stores here, Stores there);
  void compareCombined(Stores here, Stores there);
  void differs(const LoggedStore &here, Number found, const LoggedStore *there, Number expected);
  void onlyThere(const LoggedStore &there);
  Number numberOf(const LoggedStore &one) const { return debug::numberOf(arrays[one.array].type, one.bits); }
  bool match(const LoggedStore &here, const LoggedStore &there) const {
    return tolerances[here.array].matches(numberOf(there), numberOf(here));
  }
  /// Combines all operands, which are of one kind.
  Number combined(Stores stores) const;

  const std::vector<Array> &arrays;
  const bool knowsPrograms;
  const std::vector<Tolerance> &tolerances;
  const std::optional<uint64_t> program;           ///< the only one whose differences count
  std::set<std::pair<uint16_t, uint64_t>> swapped; ///< elements that a run swaps
  std::vector<LoggedStore> mine, others;
  StoreComparison made;
  std::optional<std::pair<uint16_t, uint64_t>> compared; ///< the element that was counted last
  std::map<uint32_t, uint64_t> differing;                ///< elements by the moment of their first difference
};

std::vector<LoggedStore> Comparison::sorted(const StoreLog &log, const std::vector<Array> &names) {
  std::vector<LoggedStore> all;
  for (LoggedStore one : log.stores) {
    const std::string &name = log.arrays[one.array].name;
    const auto found = std::ranges::find(names, name, &Array::name);
    if (found == names.end())
      continue;
    one.array = uint16_t(found - names.begin());
    if (one.kind == StoreKind::Swap)
      swapped.insert({one.array, one.index});
    one.order = uint32_t(all.size());
    all.push_back(one);
  }
  std::ranges::sort(all, {},
                    [](const LoggedStore &one) { return std::tuple(keyOf(one), one.program, one.order); });
  return all;
}

Stores Comparison::groupAt(const std::vector<LoggedStore> &all, size_t at) {
  size_t end = at;
  while (end < all.size() && keyOf(all[end]) == keyOf(all[at]))
    ++end;
  return Stores(all).subspan(at, end - at);
}

/// The stores without those that repeat one: of one moment the last stands, and threads of a program store
/// what they all hold.
std::vector<LoggedStore> withoutRepeated(Stores stores, bool isMoment) {
  std::vector<LoggedStore> kept;
  for (const LoggedStore &one : stores) {
    const bool isSame = !kept.empty() && kept.back().at == one.at;
    if (isSame && isMoment)
      kept.back() = one;
    else if (!isSame || kept.back().bits != one.bits || kept.back().thread == one.thread)
      kept.push_back(one);
  }
  return kept;
}

void Comparison::differs(const LoggedStore &here, Number found, const LoggedStore *there, Number expected) {
  if (program && here.program != *program)
    return;
  ++differing[here.at];
  if (made.first && made.first->isHere &&
      std::pair(made.first->here.at, made.first->here.index) <= std::pair(here.at, here.index))
    return;
  made.first = StoreDifference{.here = here, .found = found, .expected = expected};
  made.first->isThere = there != nullptr;
  made.first->there = there ? there->at : 0;
}

void Comparison::onlyThere(const LoggedStore &there) {
  if (made.first || (program && there.program != *program))
    return;
  made.first = StoreDifference{.here = there, .found = {}, .expected = numberOf(there)};
  made.first->isHere = false;
  made.first->there = there.at;
}

void Comparison::compareStored(Stores given, Stores givenThere) {
  const std::vector<LoggedStore> here = withoutRepeated(given, /*isMoment=*/true);
  const std::vector<LoggedStore> there = withoutRepeated(givenThere, /*isMoment=*/false);
  // From the last one on: in front of it stores may be missing there, and so may one here that another
  // follows.
  std::optional<std::pair<size_t, size_t>> wrong;
  size_t mayMiss = here.size() > there.size() ? here.size() - there.size() : 0;
  size_t i = here.size(), j = there.size();
  while (i && j) {
    const bool isLast = i == here.size();
    size_t at = i - 1;
    while (!isLast && !match(here[at], there[j - 1]) && i - 1 - at < mayMiss)
      --at;
    if (match(here[at], there[j - 1])) {
      mayMiss -= i - 1 - at;
      i = at;
    } else {
      wrong = {i - 1, j - 1};
      --i;
    }
    --j;
  }
  if (wrong)
    differs(here[wrong->first], numberOf(here[wrong->first]), &there[wrong->second],
            numberOf(there[wrong->second]));
}

Number Comparison::combined(Stores stores) const {
  Number all = numberOf(stores.front());
  uint64_t bits = stores.front().bits;
  for (const LoggedStore &one : stores.subspan(1)) {
    const Number number = numberOf(one);
    switch (one.kind) {
    case StoreKind::And:
      bits &= one.bits;
      break;
    case StoreKind::Or:
      bits |= one.bits;
      break;
    case StoreKind::Xor:
      bits ^= one.bits;
      break;
    case StoreKind::Add:
      all.real += number.real;
      bits += all.isFloat ? 0 : one.bits;
      break;
    default:
      // Floats are compared by their bits too: as such they are ordered like integers, each sign apart.
      const auto isLess = [&](uint64_t x, uint64_t y) {
        const unsigned unused = 64 - 8 * scalarKindBytes(arrays[one.array].type);
        const bool hasSign = one.kind == StoreKind::Min || one.kind == StoreKind::Max;
        return hasSign ? int64_t(x << unused) < int64_t(y << unused) : x << unused < y << unused;
      };
      const bool isMin = one.kind == StoreKind::Min || one.kind == StoreKind::UMin;
      bits = isLess(bits, one.bits) == isMin ? bits : one.bits;
    }
  }
  return all.isFloat && stores.front().kind == StoreKind::Add
             ? all
             : debug::numberOf(arrays[stores.front().array].type, bits);
}

void Comparison::compareCombined(Stores here, Stores there) {
  for (int kind = int(StoreKind::Add); kind <= int(StoreKind::UMax); ++kind) {
    std::vector<LoggedStore> mineOf, othersOf;
    const auto isOfKind = [&](const LoggedStore &one) { return int(one.kind) == kind; };
    std::ranges::copy_if(here, std::back_inserter(mineOf), isOfKind);
    std::ranges::copy_if(there, std::back_inserter(othersOf), isOfKind);
    if (mineOf.empty())
      continue;
    if (othersOf.empty()) {
      differs(mineOf.back(), combined(mineOf), nullptr, {});
      continue;
    }
    const Number found = combined(mineOf), expected = combined(othersOf);
    if (tolerances[here.front().array].matches(expected, found))
      continue;
    // Of as many steps on both sides the first that differs is to blame.
    for (size_t i = 0; mineOf.size() == othersOf.size() && i < mineOf.size(); ++i)
      if (!match(mineOf[i], othersOf[i]))
        return differs(mineOf[i], numberOf(mineOf[i]), &othersOf[i], numberOf(othersOf[i]));
    differs(mineOf.back(), found, &othersOf.back(), expected);
  }
}

void Comparison::compareWrites(Stores here, Stores there) {
  if (here.empty()) {
    // To add nothing is to write nothing.
    if (there.front().kind == StoreKind::Store)
      onlyThere(there.front());
    return;
  }
  const std::pair<uint16_t, uint64_t> element{here.front().array, here.front().index};
  made.elements += compared != element;
  compared = element;
  if (there.empty())
    differs(here.back(), numberOf(here.back()), nullptr, {});
  else if (here.front().kind == StoreKind::Store)
    compareStored(here, there);
  else
    compareCombined(here, there);
}

/// The writes of each program, which are in the order of programs.
std::vector<Stores> byProgram(Stores stores) {
  std::vector<Stores> parts;
  for (size_t begin = 0, at = 1; begin < stores.size(); ++at)
    if (at == stores.size() || stores[at].program != stores[begin].program) {
      parts.push_back(stores.subspan(begin, at - begin));
      begin = at;
    }
  return parts;
}

void Comparison::compareElement(Stores here, Stores there) {
  const LoggedStore &one = here.empty() ? there.front() : here.front();
  if (swapped.count({one.array, one.index})) {
    ++made.skipped;
    return;
  }
  const std::vector<Stores> mineOf = byProgram(here), othersOf = byProgram(there);
  const auto isSame = [](Stores x, Stores y) { return x.front().program == y.front().program; };
  if (mineOf.size() <= 1 && othersOf.size() <= 1)
    // A compiler may number programs otherwise, and a ticket tell which program does it.
    compareWrites(here, there);
  else if (knowsPrograms && std::ranges::equal(mineOf, othersOf, isSame))
    for (size_t i = 0; i < mineOf.size(); ++i)
      compareWrites(mineOf[i], othersOf[i]);
  else if (one.kind != StoreKind::Store)
    compareWrites(here, there);
  else
    ++made.skipped;
}

StoreComparison Comparison::compare() {
  size_t i = 0, j = 0;
  while (i < mine.size() || j < others.size()) {
    const Stores here = i < mine.size() ? groupAt(mine, i) : Stores();
    const Stores there = j < others.size() ? groupAt(others, j) : Stores();
    const bool hasHere = !here.empty() && (there.empty() || keyOf(here[0]) <= keyOf(there[0]));
    const bool hasThere = !there.empty() && (here.empty() || keyOf(there[0]) <= keyOf(here[0]));
    compareElement(hasHere ? here : Stores(), hasThere ? there : Stores());
    i += hasHere ? here.size() : 0;
    j += hasThere ? there.size() : 0;
  }
  std::vector<uint32_t> moments;
  std::set<std::pair<uint16_t, uint64_t>> written;
  for (const LoggedStore &one : mine) {
    moments.push_back(one.at);
    if (made.first && made.first->isHere && made.first->here.at == one.at)
      written.insert({one.array, one.index});
  }
  std::ranges::sort(moments);
  made.stores = uint64_t(std::ranges::unique(moments).begin() - moments.begin());
  if (made.first && made.first->isHere) {
    made.first->differing = differing[made.first->here.at];
    made.first->written = written.size();
  }
  return made;
}

} // namespace

StoreComparison compareStores(const StoreLog &here, const StoreLog &there,
                              const std::vector<Tolerance> &tolerances, std::optional<uint64_t> program) {
  return Comparison(here, there, tolerances, program).compare();
}

} // namespace tegula::debug
