// Each missed remark on a bundled kernel has a cause, with its place, and says what to change or that there
// is nothing to do; one finding is told once.
#include "test/kernels/BundledKernels.h"

#include <set>
#include <tuple>

using namespace tegula;
using namespace tegula::test;

namespace {

class MissedRemarks : public ::testing::TestWithParam<BundledKernel> {};

std::vector<BundledKernel> allKernels() {
  std::vector<BundledKernel> all(rowKernels().begin(), rowKernels().end());
  all.insert(all.end(), matrixKernels().begin(), matrixKernels().end());
  return all;
}

void checkRemark(const Remark &remark) {
  EXPECT_TRUE(remark.isNothingToDo || !remark.fix.empty()) << remark.text;
  EXPECT_TRUE(remark.isNothingToDo || !remark.causes.empty()) << remark.text;
  EXPECT_FALSE(remark.isNothingToDo && !remark.fix.empty()) << remark.text;
  for (const RemarkCause &cause : remark.causes) {
    EXPECT_FALSE(cause.text.empty()) << remark.text;
    EXPECT_GT(cause.place.line, 0u) << remark.text;
    EXPECT_TRUE(std::tie(cause.place.endLine, cause.place.endColumn) >
                std::tie(cause.place.line, cause.place.column))
        << remark.text << ": " << cause.text;
  }
}

} // namespace

TEST_P(MissedRemarks, HaveCausesAndAreToldOnce) {
  const BundledKernel &kernel = GetParam();
  for (const char *name : {"sm_80", "sm_90a"}) {
    const Target &target = *lookupTarget(name);
    if (!kernel.compilesFor(target))
      continue;
    CompileResult result = compileBundled(kernel, wordsOf(kernel.types).front(), target);
    // By pass, name, message, line, and the first cause with the line and column of its place.
    std::set<std::tuple<std::string, std::string, std::string, uint32_t, std::string, uint32_t, uint32_t>>
        told;
    for (const Remark &remark : result.remarks) {
      if (remark.kind != Remark::Missed)
        continue;
      checkRemark(remark);
      const RemarkCause cause = remark.causes.empty() ? RemarkCause() : remark.causes.front();
      EXPECT_TRUE(told.emplace(remark.pass, remark.name, remark.message, remark.line, cause.text,
                               cause.place.line, cause.place.column)
                      .second)
          << name << ": told twice: " << remark.line << ": " << remark.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, MissedRemarks, ::testing::ValuesIn(allKernels()),
                         [](const auto &info) { return std::string(info.param.name); });
