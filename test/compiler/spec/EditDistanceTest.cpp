#include "compiler/spec/EditDistance.h"

#include <gtest/gtest.h>

using namespace tegula;

namespace {

TEST(EditDistance, CountsInsertedRemovedChangedAndSwappedLetters) {
  EXPECT_EQ(editDistance("", "abc"), 3u);
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(editDistance("ab", "ba"), 1u);
  EXPECT_EQ(editDistance("same", "same"), 0u);
}

} // namespace
