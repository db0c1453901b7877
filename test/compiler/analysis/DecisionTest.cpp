// Reasons, and what remarks make of them.
#include "compiler/analysis/Decision.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Remark/RemarkStreamer.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;

namespace {

/// Keeps what a remark says, by its keys.
struct Kept : remark::detail::MLIRRemarkStreamerBase {
  explicit Kept(std::vector<std::pair<std::string, std::string>> &said) : said(said) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    for (const auto &argument : remark.getArgs())
      said.emplace_back(argument.key, argument.val);
  }
  std::vector<std::pair<std::string, std::string>> &said;
};

class DecisionTest : public ::testing::Test {
protected:
  DecisionTest() {
    const remark::RemarkCategories every{.passed = ".*", .missed = ".*", .analysis = ".*", .failed = ".*"};
    EXPECT_TRUE(succeeded(remark::enableOptimizationRemarks(
        context, std::make_unique<Kept>(said), std::make_unique<remark::RemarkEmittingPolicyAll>(), every)));
  }

  void tell(const Reason &why) {
    remark::missed(FileLineColLoc::get(&context, "kernel.py", 10, 1),
                   remark::RemarkOpts::name("test").category("test"))
        << remark::add("not done") << why;
  }

  MLIRContext context;
  std::vector<std::pair<std::string, std::string>> said;
};

Decision<int> halfOf(int number) {
  if (number % 2)
    return because("{0} is {1}", number, "odd");
  return number / 2;
}

Decision<> bothEven(int a, int b) {
  TRY(halfOf(a));
  TRY(halfOf(b));
  return {};
}

TEST_F(DecisionTest, PassesAReasonOn) {
  EXPECT_TRUE(bothEven(2, 4));
  const Decision<> refused = bothEven(2, 5);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text, "5 is odd");
  EXPECT_FALSE(refused.error().place);
}

TEST_F(DecisionTest, ARemarkSaysTheReason) {
  tell(because("there are {0}", 3));
  using Said = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(said, (Said{{"Remark", "not done"}, {"Reason", "there are 3"}}));
}

TEST_F(DecisionTest, ARemarkSaysWhichLineIsTheReason) {
  OwningOpRef<ModuleOp> op = ModuleOp::create(FileLineColLoc::get(&context, "kernel.py", 12, 3));
  tell(because(*op, "it waits"));
  ASSERT_EQ(said.size(), 3u);
  EXPECT_EQ(said[1], (std::pair<std::string, std::string>("Reason", "it waits")));
  EXPECT_EQ(said[2], (std::pair<std::string, std::string>("Line", "12")));
}

TEST_F(DecisionTest, ARemarkDoesNotRepeatItsOwnLine) {
  OwningOpRef<ModuleOp> op = ModuleOp::create(FileLineColLoc::get(&context, "kernel.py", 10, 5));
  tell(because(*op, "it waits"));
  EXPECT_EQ(said.size(), 2u);
}

TEST_F(DecisionTest, ARemarkNamesNoLineOfAnOpThatHasNone) {
  OwningOpRef<ModuleOp> op = ModuleOp::create(UnknownLoc::get(&context));
  tell(because(*op, "it waits"));
  EXPECT_EQ(said.size(), 2u);
}

TEST_F(DecisionTest, ARemarkSaysCausesAndWhatToChange) {
  const LocationAttr place = FileLineColRange::get(&context, "kernel.py", 3, 5, 3, 6);
  tell(because("it is narrow").causedBy({"`n` is not known to be 1", place}).fixedBy("pass n=1"));
  using Said = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(said, (Said{{"Remark", "not done"},
                        {"Reason", "it is narrow"},
                        {CauseKey.str(), "`n` is not known to be 1"},
                        {ChangeKey.str(), "pass n=1"}}));
}

TEST_F(DecisionTest, ARemarkSaysThatThereIsNothingToDo) {
  tell(because("it is long").nothingToDo());
  EXPECT_EQ(said.back(), (std::pair<std::string, std::string>(ChangeKey.str(), "nothing to do")));
}

/// Braces that stand in a value, a user's name say, are no places for others.
TEST_F(DecisionTest, AReasonIsPutIntoWordsOnce) {
  tell(because("`{0}` is not known", "{1}"));
  EXPECT_EQ(said.back().second, "`{1}` is not known");
}

} // namespace
