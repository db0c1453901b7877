// Names of a kernel, found by the place of the op that computes what they are bound to.
#include "compiler/driver/names/NamesByMaker.h"

#include <gtest/gtest.h>

using namespace tegula;

TEST(NamesByMaker, ThoseThatAreBoundToWhatAnOpComputes) {
  const NamePlace product{"k.py", 3, 8, 3, 13}, sum{"k.py", 3, 8, 3, 17};
  std::vector<KernelName> bound(4);
  bound[0].name = "x", bound[0].made = product;
  bound[1].name = "carried", bound[1].made = product, bound[1].isKept = true; // by a loop: another value
  bound[2].name = "also", bound[2].made = product;
  bound[3].name = "nowhere"; // made by no op
  const NamesByMaker names(bound);

  insight::Insight known;
  known.files = {"k.py"};
  for (const NamePlace &place : {product, sum})
    known.places.push_back({0, place.line, place.column, place.endLine, place.endColumn});
  const auto &found = names.at(known, 0);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]->name, "x");
  EXPECT_EQ(found[1]->name, "also");
  EXPECT_TRUE(names.at(known, 1).empty()) << "it begins there, too, and ends elsewhere";
  EXPECT_TRUE(names.at(known, insight::None).empty());
}
