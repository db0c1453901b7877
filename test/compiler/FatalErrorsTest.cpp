#include "compiler/Compile/FatalErrors.h"

#include "llvm/Support/ErrorHandling.h"

#include <gtest/gtest.h>

#include <new>

using namespace tegula;

TEST(FatalErrors, GiveTheirReasonInsteadOfEndingTheProcess) {
  EXPECT_EQ(catchFatalErrors([] {}), std::nullopt);
  for (int round = 0; round < 2; ++round)
    EXPECT_EQ(catchFatalErrors([] { llvm::report_fatal_error("cannot select this"); }), "cannot select this");
  EXPECT_EQ(catchFatalErrors([] { llvm::reportFatalInternalError("broken"); }), "broken");
}

TEST(FatalErrors, WithoutMemoryThereIsAnException) {
  EXPECT_THROW((void)catchFatalErrors([] { llvm::report_bad_alloc_error("too much"); }), std::bad_alloc);
}
