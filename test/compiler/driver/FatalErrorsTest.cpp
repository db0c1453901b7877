#include "compiler/driver/FatalErrors.h"
#include "compiler/driver/Compiler.h"
#include "compiler/driver/TileKernel.h"

#include "llvm/Support/ErrorHandling.h"

#include <gtest/gtest.h>

#include <new>

#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

using namespace tegula;

/// Frames that LLVM's error handler never returns to lose what they own, and nothing else here is lost.
class FatalErrors : public ::testing::Test {
#if __has_feature(address_sanitizer)
  __lsan::ScopedDisabler lostFrames;
#endif
};

TEST_F(FatalErrors, GiveTheirReasonInsteadOfEndingTheProcess) {
  EXPECT_EQ(catchFatalErrors([] {}), std::nullopt);
  for (int round = 0; round < 2; ++round)
    EXPECT_EQ(catchFatalErrors([] { llvm::report_fatal_error("cannot select this"); }), "cannot select this");
  EXPECT_EQ(catchFatalErrors([] { llvm::reportFatalInternalError("broken"); }), "broken");
}

TEST_F(FatalErrors, WithoutMemoryThereIsAnException) {
  EXPECT_THROW((void)catchFatalErrors([] { llvm::report_bad_alloc_error("too much"); }), std::bad_alloc);
}

/// A kernel whose evaluation reaches what LLVM does not survive: it calls a function of the host that stands
/// for that.
static std::vector<SourceUnit> lethalProgram() {
  SourceUnit unit;
  unit.path = "kernel.py";
  unit.text = "@triton.jit\ndef kernel(x):\n    tl.store(x, give_up())\n";
  unit.names["tl"] = BoundValue{bound::Language{"triton.language"}};
  bound::HostFunction host{"give_up",
                           [](const bound::HostArguments &) -> std::variant<BoundValue, bound::HostError> {
                             llvm::report_fatal_error("this is too much");
                           }};
  unit.names["give_up"] = BoundValue{std::make_shared<const bound::HostFunction>(std::move(host))};
  return {unit};
}

static KernelSpec lethalSpec() {
  KernelSpec spec;
  spec.args = {{"x", RuntimeArg{ScalarKind::Float32, 1}}};
  return spec;
}

TEST_F(FatalErrors, InTheFrontEndAreDiagnostics) {
  Compiler compiler;
  for (int round = 0; round < 2; ++round) {
    const CompileResult result = compiler.compile(*compiler.parse(lethalProgram(), 0), lethalSpec());
    ASSERT_EQ(result.diagnostics.size(), 1u);
    EXPECT_EQ(result.diagnostics[0].message, "internal error: this is too much");
    EXPECT_FALSE(result.image);
  }
}

TEST_F(FatalErrors, InTheInterpretersFrontEndAreDiagnostics) {
  Compiler compiler;
  const TileKernel::Made made = TileKernel::create(*compiler.parse(lethalProgram(), 0), lethalSpec());
  ASSERT_EQ(made.diagnostics.size(), 1u);
  EXPECT_EQ(made.diagnostics[0].message, "internal error: this is too much");
  EXPECT_FALSE(made.kernel);
}
