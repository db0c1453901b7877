// `allocate-shared` gives a kernel the shared memory that its plan says it needs: for every form of loop.
// `SharedMemoryTest.cpp` of test/kernels and of test/random say so of bundled kernels and random ones.
#include "test/compiler/schedule/DotLoop.h"
#include "test/compiler/schedule/SharedOutcome.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::test;

TEST(PlannedMemory, IsWhatIsAllocated) {
  struct Form {
    const char *name;
    void (*set)(DotLoop &);
  };
  const Form forms[] = {
      {"plain", [](DotLoop &) {}},
      {"pointers from the induction variable", [](DotLoop &f) { f.carriedA = false; }},
      {"masked", [](DotLoop &f) { f.maskedA = true; }},
      {"b through registers", [](DotLoop &f) { f.narrowB = true; }},
      {"with a bias", [](DotLoop &f) { f.hasBias = true; }},
      {"chained", [](DotLoop &f) { f.isChained = true; }},
      {"nested", [](DotLoop &f) { f.isNested = true; }},
      {"one behind another", [](DotLoop &f) { f.isTwice = true; }},
      {"with an operand from before", [](DotLoop &f) { f.invariantA = true; }},
      {"two of one load", [](DotLoop &f) { f.sharesLoad = true; }},
      {"copied by threads", [](DotLoop &f) { f.withoutTma = true; }},
      {"by groups", [](DotLoop &f) { f.byGroups = f.transposedB = true, f.m = 64; }},
      {"by groups, with a producer",
       [](DotLoop &f) { f.byGroups = f.transposedB = f.specializes = true, f.m = 64; }},
      {"by groups, with a producer, one behind another",
       [](DotLoop &f) { f.byGroups = f.transposedB = f.specializes = f.isTwice = true, f.m = 64; }},
      {"by groups, with a producer, nested",
       [](DotLoop &f) { f.byGroups = f.transposedB = f.specializes = f.isNested = true, f.m = 64; }},
      {"by threads", [](DotLoop &f) { f.byThreads = true, f.warpsN = 2; }},
  };
  for (const Form &form : forms)
    for (unsigned stages = 2; stages <= 4; ++stages) {
      DotLoop loop;
      loop.stages = stages;
      form.set(loop);
      const std::optional<SharedOutcome> outcome = sharedOutcomeOf(textOf(loop));
      ASSERT_TRUE(outcome) << form.name;
      EXPECT_GT(outcome->allocated, 0u) << form.name;
      const std::optional<std::string> broken = brokenBy(*outcome, /*mostSurplus=*/0);
      EXPECT_FALSE(broken) << form.name << ", stages " << stages << ": " << *broken;
    }
}

TEST(PlannedMemory, TellsWhatBreaksTheLaw) {
  SharedOutcome outcome{.predicted = 4096, .available = 8192, .needed = 4096, .allocated = 4096};
  EXPECT_FALSE(brokenBy(outcome, 0));
  outcome.predicted = 4080;
  EXPECT_EQ(brokenBy(outcome, 0), "4096 bytes needed, 4080 predicted");
  outcome.predicted = 4112;
  EXPECT_EQ(brokenBy(outcome, 0), "4096 bytes needed, but 4112 predicted");
  EXPECT_FALSE(brokenBy(outcome, 16));
  outcome.allocated = 5000;
  EXPECT_EQ(brokenBy(outcome, 16), "5000 bytes allocated, 4112 predicted");
  outcome.forBarriers = 5000;
  EXPECT_FALSE(brokenBy(outcome, 16));
  outcome.allocated = 0;
  EXPECT_EQ(brokenBy(outcome, 16), "nothing allocated, where 4096 bytes are needed");
}
