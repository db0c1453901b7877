// The part of a session that compares stores with those of another run.
#include "compiler/debug/Runner.h"
#include "compiler/debug/differences/StoreComparison.h"
#include "dialect/Counted.h"

namespace tegula::debug {

namespace {

/// "`out[3]` becomes 0.5, on the emulator 0.25 by line 95 of the PTX"
std::string describe(const StoreDifference &found, const Array &array) {
  const std::string name = "`" + array.elementName(found.here.index) + "`";
  const std::string line = " by line " + std::to_string(found.there) + " of the PTX";
  if (!found.isHere)
    return name + " becomes " + text(found.expected) + " on the emulator" + line +
           ", which no program does here";
  const bool isStored = found.here.kind == StoreKind::Store;
  std::string made =
      name + (isStored ? " becomes " : " is combined with ") + text(found.found) + ", on the emulator ";
  if (found.isThere)
    made += (isStored ? "" : "with ") + text(found.expected) + line;
  else
    made += "it is not written";
  if (found.written > 1)
    made += "; " + std::to_string(found.differing) + " of the " + std::to_string(found.written) +
            " elements that are written here differ";
  return made;
}

} // namespace

const Stop &Session::findStoreDifference(const StoreLog &there, const std::vector<Tolerance> &tolerances) {
  std::vector<Position> moments;
  StoreLog here{.arrays = launch().arrays};
  const ReadMemory read = memory();
  const Position never{UINT64_MAX, 0, 0};
  runner->scan(0, never,
               {.store = [&](const Position &at, StoreKind kind, uint64_t address, unsigned bytes,
                             const uint8_t *operand) {
                 if (moments.empty() || moments.back() != at)
                   moments.push_back(at);
                 here.add({.program = at.program, .at = uint32_t(moments.size() - 1), .kind = kind}, address,
                          bytes, operand, read);
               }});
  if (stop().kind != Stop::End) // a fault, or the host has had enough
    return stop();
  if (here.isCut || there.isCut) {
    runner->stopped.text = "the stores are too many to be compared one by one";
    return stop();
  }
  const StoreComparison made = compareStores(here, there, tolerances, runner->chosenProgram());
  if (!made.first || !made.first->isHere) {
    std::string &said = runner->stopped.text;
    said = counted(made.stores, "store") + " to " + counted(made.elements, "element") + " compared, ";
    said += made.first         ? describe(*made.first, here.arrays[made.first->here.array])
            : settings.program ? "none of the only program to stop in differs from the emulator's"
                               : "none differs from the emulator's";
    if (made.skipped)
      said +=
          ", " + counted(made.skipped, "element") + " left out whose stores depend on the order of programs";
    return stop();
  }
  runner->reach(moments[made.first->here.at]);
  runner->stopped = {.kind = Stop::Difference,
                     .text = describe(*made.first, here.arrays[made.first->here.array])};
  return stop();
}

} // namespace tegula::debug
