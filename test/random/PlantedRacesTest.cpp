// Kernels of which one barrier is taken out: no result is wrong without a fault that the emulator names.
#include "test/random/Differential.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tegula;
using namespace tegula::random;

namespace {

/// Returns the start of the line of each barrier of a block, or of some of its warps.
std::vector<size_t> barriersOf(const std::string &ptx) {
  std::vector<size_t> found;
  for (size_t at = ptx.find("bar.sync"); at != std::string::npos; at = ptx.find("bar.sync", at + 1))
    if (ptx[at - 1] == '\t' || ptx[at - 1] == ' ')
      found.push_back(ptx.rfind('\n', at) + 1);
  return found;
}

/// Counts the outcomes of kernels without one of their barriers.
struct Outcomes {
  int planted = 0, raced = 0, early = 0; ///< `early`: read before the write or the copy was there
};

void takeOneBarrierOut(Compiler &compiler, const RandomKernel &kernel, Outcomes &outcomes) {
  bool planted = false;
  Comparison how;
  how.schedules = 2;
  how.plant = [&](std::string &ptx) {
    const std::vector<size_t> barriers = barriersOf(ptx);
    if (barriers.empty())
      return;
    const size_t at = barriers[kernel.seed % barriers.size()];
    ptx.erase(at, ptx.find('\n', at) - at);
    planted = true;
  };
  const std::optional<Difference> difference = compare(compiler, kernel, how);
  if (!planted) {
    EXPECT_FALSE(difference) << describe(kernel, *difference);
    return;
  }
  ++outcomes.planted;
  if (!difference) // one that another barrier makes up for
    return;
  EXPECT_EQ(difference->kind, Difference::Emulation) << describe(kernel, *difference);
  auto says = [&](const char *words) { return difference->text.find(words) != std::string::npos; };
  const bool raced = says("no barrier between");
  const bool early = says("uninitialised shared memory") || says("has not been waited for") ||
                     says("there is no mbarrier") || says("may still read them") ||
                     says("stores an undefined value");
  EXPECT_TRUE(raced || early) << describe(kernel, *difference);
  outcomes.raced += raced;
  outcomes.early += early;
}

} // namespace

TEST(PlantedRaces, NoResultIsWrongWithoutAFault) {
  Compiler compiler;
  Outcomes outcomes;
  for (Kind kind : {Kind::General, Kind::Dots})
    for (uint64_t seed = 0; seed < 80; ++seed) {
      Features features;
      features.kind = kind;
      features.barriers = false; // those of the source order nothing
      const RandomKernel kernel = randomKernel(seed, features);
      if (kernel.numWarps > 1)
        takeOneBarrierOut(compiler, kernel, outcomes);
    }
  // When this was written: 113, 93 and 1.
  EXPECT_GT(outcomes.planted, 80);
  EXPECT_GT(outcomes.raced, outcomes.planted / 2);
  EXPECT_GT(outcomes.early, 0);
}
