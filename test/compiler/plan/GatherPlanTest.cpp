#include "compiler/plan/GatherPlan.h"
#include "dialect/layout/Layouts.h"
#include "dialect/layout/Places.h"
#include "test/compiler/plan/PlanModel.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

using namespace tegula;
using namespace tegula::testing;

TEST(GatherPlan, EachIndexPicksItsElementOfTheOwnLine) {
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 300; ++i) {
    unsigned threadBits = LaneBits + pick(random, 3), axis = pick(random, 3);
    std::vector<DimBits> sides{
        {Dim::Dim0, pick(random, 4)}, {Dim::Dim1, pick(random, 5)}, {Dim::Dim2, pick(random, 3)}};
    LinearLayout source = randomPlacement(random, sides, threadBits);
    sides[axis].bits = pick(random, 5);
    LinearLayout result = randomPlacement(random, sides, threadBits);
    GatherPlan plan = planGather(source, result, axis, threadBits, 4);
    std::optional<Memory> memory = store(plan.store, blockOf(source, threadBits), 4, plan.bytes);
    ASSERT_TRUE(memory) << source.toString();
    Block wanted = blockOf(result, threadBits);
    for (size_t thread = 0; thread < wanted.size(); ++thread)
      for (size_t reg = 0; reg < wanted[thread].size(); ++reg) {
        uint32_t index = pick(random, plan.side);
        std::vector<Coord> place = result.unpackOut(wanted[thread][reg]);
        place[axis].value = int32_t(index);
        uint64_t expected = 0;
        unsigned below = 0;
        for (size_t dim = 0; dim < place.size(); ++dim) {
          expected |= uint64_t(place[dim].value) << below;
          below += source.outs()[dim].bits;
        }
        uint32_t address = (plan.offsets[reg] ^ sumOf(plan.threadOffsets, thread)) + index * plan.stride;
        ASSERT_EQ(memory->at(address), expected) << "index " << index << " along " << axis << " of "
                                                 << source.toString() << " by " << result.toString();
      }
  }
}
