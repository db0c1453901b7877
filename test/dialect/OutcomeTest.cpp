// A value or an error, and how `TRY` passes either on.
#include "dialect/Outcome.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

using namespace tegula;

namespace {

using Number = Outcome<int, std::string>;
using Check = Outcome<void, std::string>;

Number half(int number) {
  if (number % 2)
    return std::to_string(number) + " is odd";
  return number / 2;
}

Check isSmall(int number) {
  if (number > 9)
    return std::to_string(number) + " is large";
  return {};
}

/// A value that cannot be copied, and whose type is another than the caller's.
Outcome<std::unique_ptr<int>, std::string> boxed(int number) {
  TRY(isSmall(number));
  return std::make_unique<int>(number);
}

Number quarter(int number, int &reached) {
  const int first = TRY(half(number));
  reached = 1;
  std::unique_ptr<int> box = TRY(boxed(first));
  reached = 2;
  int result = 0;
  result = TRY(half(*box));
  reached = 3;
  return result;
}

TEST(Outcome, IsAValueOrAnError) {
  ASSERT_TRUE(half(8));
  EXPECT_EQ(*half(8), 4);
  ASSERT_FALSE(half(7));
  EXPECT_EQ(half(7).error(), "7 is odd");
  EXPECT_TRUE(isSmall(9));
  ASSERT_FALSE(isSmall(10));
  EXPECT_EQ(isSmall(10).error(), "10 is large");
}

TEST(Outcome, TryGivesTheValueOrReturnsTheError) {
  int reached = 0;
  const Number good = quarter(12, reached);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 3);
  EXPECT_EQ(reached, 3);
  struct {
    int number, reached;
    const char *error;
  } const wrong[] = {{3, 0, "3 is odd"}, {40, 1, "20 is large"}, {6, 2, "3 is odd"}};
  for (const auto &each : wrong) {
    reached = 0;
    const Number found = quarter(each.number, reached);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error(), each.error);
    EXPECT_EQ(reached, each.reached);
  }
}

/// Copies of what an outcome holds are counted by the owners of one number.
TEST(Outcome, TryMovesTheValueOutAndTheErrorOn) {
  using Shared = std::shared_ptr<int>;
  const Shared one = std::make_shared<int>(1);
  auto make = [&]() -> Outcome<Shared, std::string> { return one; };
  auto count = [&]() -> Outcome<long, std::string> {
    Shared held = TRY(make());
    return held.use_count();
  };
  EXPECT_EQ(*count(), 2);
  auto refuse = [&]() -> Outcome<int, Shared> { return one; };
  auto pass = [&]() -> Outcome<std::string, Shared> {
    TRY(refuse());
    return std::string();
  };
  const Outcome<std::string, Shared> refused = pass();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().use_count(), 2);
}

} // namespace
