// Advice when it is known what the launch passed.
#include "tools/insight/findings/Advice.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::explain;

namespace {

Remark missed(int64_t wanted, std::string otherwise) {
  Remark remark;
  remark.kind = Remark::Missed;
  remark.fix = "as the compiler says it";
  remark.wish = {"n", wanted, std::move(otherwise)};
  return remark;
}

} // namespace

TEST(Advice, IsTheCompilersWhereNothingIsKnownOfTheLaunch) {
  EXPECT_EQ(changeOf(missed(4, ""), {}), "as the compiler says it");
  EXPECT_EQ(changeOf(missed(1, "turn it"), {{"m", 1}}), "as the compiler says it");
  EXPECT_EQ(changeOf(missed(0, ""), {{"n", 1}, {"", 3}}), "as the compiler says it");
  Remark nothing;
  nothing.isNothingToDo = true;
  EXPECT_EQ(changeOf(nothing, {}), "nothing to do");
}

TEST(Advice, DoesNotAskForWhatTheLaunchRulesOut) {
  EXPECT_EQ(changeOf(missed(1, "turn it"), {{"n", 64}}), "turn it");
  EXPECT_EQ(changeOf(missed(8, ""), {{"n", 513}}),
            "let `n` be a multiple of 8, which 513 is not: pad what it counts");
  EXPECT_EQ(changeOf(missed(8, "drop the mask"), {{"n", -3}}),
            "let `n` be a multiple of 8, which -3 is not: pad what it counts; else drop the mask");
}

TEST(Advice, SaysHowWhatIsSoBecomesKnown) {
  EXPECT_EQ(changeOf(missed(1, "turn it"), {{"n", 1}}),
            "take `n`, which is 1, out of `do_not_specialize`; else turn it");
  EXPECT_EQ(
      changeOf(missed(4, ""), {{"n", 200}}),
      "state by `tl.multiple_of(n, 4)` that `n` is a multiple of 4, as 200 is: a launch does not look for "
      "that by itself");
}

TEST(Advice, CausesSayWhatWasPassed) {
  Remark remark;
  remark.wish = {"stride", 1, ""};
  const std::string unknown = "`stride` is not known to be 1";
  EXPECT_EQ(causeOf(remark, unknown, {}), unknown);
  EXPECT_EQ(causeOf(remark, unknown, {{"stride", 1}}), unknown);
  EXPECT_EQ(causeOf(remark, unknown, {{"stride", 512}}), "neighbours are `stride`, which is 512, apart");
  EXPECT_EQ(causeOf(remark, "the mask", {{"stride", 512}}), "the mask");
  remark.wish = {"n", 8, ""};
  EXPECT_EQ(causeOf(remark, "`n` is not known to be a multiple of 8", {{"n", 1001}}),
            "`n` is 1001, no multiple of 8");
  EXPECT_EQ(causeOf(remark, "`n` is not known to be a multiple of 8", {{"n", 1000}}),
            "`n` is not known to be a multiple of 8");
}
