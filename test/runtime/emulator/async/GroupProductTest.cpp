// wgmma: products of small integers in every type and with operands that lie in every way, and planted faults
// with correct twins.
#include "test/runtime/emulator/RunPtx.h"
#include "test/runtime/emulator/golden/GroupForms.h"

#include <gmock/gmock.h>

#include <cmath>
#include <utility>

namespace tegula::runtime::test {
namespace {

using ::testing::HasSubstr;

TEST(GroupProduct, IntegersAreExactHoweverOperandsLie) {
  EmulatorDevice device;
  const std::vector<golden::GroupForm> forms = golden::groupLayouts();
  EXPECT_GT(forms.size(), 100u);
  for (const golden::GroupForm &form : forms) {
    const golden::Matrices operands = golden::integersFor(form);
    auto results = golden::multiplyInGroup(device, form, {operands});
    ASSERT_TRUE(bool(results)) << form.text() << ": " << results.error().text;
    const std::vector<uint64_t> expected = golden::exactProduct(form, operands);
    size_t wrong = 0;
    for (size_t i = 0; i < expected.size(); ++i)
      wrong += (*results)[0][i] != expected[i];
    EXPECT_EQ(wrong, 0u) << form.text();
  }
}

/// Returns the result of a plain loop for one cell, and the sum of the magnitudes.
std::pair<double, double> loopOver(const golden::GroupForm &form, const golden::Matrices &x, unsigned row,
                                   unsigned column) {
  const double c = form.addsC ? golden::decodeElement(form.sum, x.c[row * form.n + column]) : 0;
  double value = c, magnitude = std::fabs(c);
  for (unsigned k = 0; k < form.k(); ++k) {
    const double product = golden::decodeElement(form.a, x.a[row * form.k() + k]) *
                           golden::decodeElement(form.b, x.b[k * form.n + column]);
    value += product;
    magnitude += std::fabs(product);
  }
  return {value, magnitude};
}

TEST(GroupProduct, SpecialsReachTheSumsThatTheyEnterAndNoOthers) {
  EmulatorDevice device;
  for (const golden::GroupForm &form : golden::groupLayouts()) {
    if (form.sum == "s32" || form.span != 32)
      continue;
    // Aligned to so few bits are products of 8-bit floats.
    const int places = golden::elementBits(form.a) == 8 ? 6 : form.sum == "f16" ? 8 : 18;
    for (unsigned round = 0; round < 3; ++round) {
      golden::Matrices x = golden::integersFor(form);
      golden::scatterSpecials(x, form, round);
      auto results = golden::multiplyInGroup(device, form, {x});
      ASSERT_TRUE(bool(results)) << form.text() << ": " << results.error().text;
      for (unsigned row = 0; row < 64; ++row)
        for (unsigned column = 0; column < form.n; ++column) {
          const auto [value, magnitude] = loopOver(form, x, row, column);
          const double found = golden::decodeElement(form.sum, (*results)[0][row * form.n + column]);
          const bool agrees = std::isnan(value) ? std::isnan(found)
                              : std::isinf(value)
                                  ? found == value
                                  : std::fabs(found - value) <= std::ldexp(magnitude, -places);
          ASSERT_TRUE(agrees) << form.text() << " at " << row << ", " << column << ", round " << round << ": "
                              << found << " for " << value;
        }
    }
  }
}

/// A product of 64 x 8 bf16 sums by two groups' worth of one kernel: `text` has one `{wrong|right}` for each
/// place where the faulty kernel and its twin differ.
struct Planted {
  const char *name;
  const char *text;
  std::vector<std::string> pieces;
  uint32_t warps = 4;
};

/// Four warps with an image of A (2048 bytes) and B (256) in shared memory, rows of 32 bytes, filled with
/// ones by all threads. %d1 and %d2 are their descriptors, %q1 is true in warp 1, %q2 in none. At the end the
/// sums %r0 to %r3 are stored to p0.
const std::string fill = R"(
.loc 1 5 1
shl.b32 %r10, %r31, 2;
mov.u32 %r11, 0x3f803f80;
mov.u32 %r12, 0;
FILL:
st.shared.b32 [%r10], %r11;
add.u32 %r10, %r10, 512;
add.u32 %r12, %r12, 1;
setp.lt.u32 %q0, %r12, 5;
@%q0 bra FILL;
mov.u64 %d1, 0xc000001000010000;
mov.u64 %d2, 0xc000001000010080;
mov.u32 %r0, 0;
mov.u32 %r1, 0;
mov.u32 %r2, 0;
mov.u32 %r3, 0;
mov.u32 %r4, 0;
shr.u32 %r13, %r31, 5;
setp.eq.u32 %q1, %r13, 1;
setp.ne.u32 %q2, %r31, %r31;
.loc 1 10 1
)";
#define PUBLISH "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
#define PRODUCT                                                                                              \
  "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {{%r0, %r1, %r2, %r3}}, %d1, %d2, 1, 1, 1, 0, 0;\n"
#define FENCE "wgmma.fence.sync.aligned;\n"
#define COMMIT "wgmma.commit_group.sync.aligned;\n"
#define WAIT "wgmma.wait_group.sync.aligned 0;\n"
const std::string store = R"(
.loc 1 12 1
mul.wide.u32 %d5, %r31, 16;
add.s64 %d5, %p0, %d5;
st.global.v4.b32 [%d5], {%r0, %r1, %r2, %r3};
)";

const std::vector<Planted> planted = {
    {"NoProxyFenceAfterStores",
     "{|fence.proxy.async.shared::cta;}\nbar.sync 0;\n" FENCE ".loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"no `fence.proxy.async` stands between", "planted.py:11", "planted.py:5"}},
    {"ProxyFenceBehindTheBarrierOnlyOfTheReader", // which is as good: the reader comes after the writers
     "{bar.sync 0;|bar.sync 0;\nfence.proxy.async;}\n" FENCE ".loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"no `fence.proxy.async` stands between"}},
    {"NoProxyFenceAfterCopies",
     ".loc 1 9 1\n" PUBLISH "mul.wide.u32 %d4, %r31, 16;\nadd.s64 %d4, %p1, %d4;\nshl.b32 %r14, %r31, "
     "4;\ncp.async.cg.shared.global [%r14], [%d4], 16;\ncp.async.wait_all;\n{|fence.proxy.async;}\nbar.sync "
     "0;\n" FENCE ".loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"no `fence.proxy.async` stands between", "planted.py:9"}},
    {"NoBarrierBeforeTheProduct",
     PUBLISH "shl.b32 %r10, %r31, 2;\n.loc 1 9 1\nst.shared.b32 [%r10], "
             "%r11;\nfence.proxy.async;\n{|bar.sync 0;}\n" FENCE ".loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"shared ", "planted.py:11", "planted.py:9"}},
    {"SumsStoredBeforeTheWait",
     PUBLISH FENCE ".loc 1 11 1\n" PRODUCT COMMIT "{|" WAIT "}",
     {"is used as a stored value: the `wgmma` at planted.py:11", "has not been waited for", "planted.py:12"}},
    {"SumsCopiedBeforeTheWait",
     PUBLISH FENCE ".loc 1 11 1\n" PRODUCT COMMIT "{mov.b32 %r5, %r0;\n" WAIT "mov.b32 %r0, %r5;|" WAIT "}",
     {"uninitialised register `%r0` is used as a stored value"}},
    {"SumsWrittenBeforeTheWait",
     PUBLISH FENCE ".loc 1 11 1\n" PRODUCT COMMIT "{mov.b32 %r2, 0;\n" WAIT "|" WAIT "mov.b32 %r2, 0;}",
     {"`%r2`, a sum of the `wgmma` at planted.py:11", "was written before the wait"}},
    {"WaitForOneTooFew",
     PUBLISH FENCE ".loc 1 11 1\n" PRODUCT COMMIT FENCE PRODUCT COMMIT
                   "wgmma.wait_group.sync.aligned {1|0};\n",
     {"has not been waited for"}},
    {"OperandRegistersChangedInFlight",
     PUBLISH
     "mov.u32 %r5, %r11;\n" FENCE
     ".loc 1 11 1\nwgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {{%r0, %r1, %r2, %r3}}, {{%r5, %r11, "
     "%r11, %r11}}, %d2, 1, 1, 1, 0;\n" COMMIT "{mov.u32 %r5, 0;\n" WAIT "|" WAIT "mov.u32 %r5, 0;}",
     {"`%r5`, an operand of the `wgmma` at planted.py:11", "was changed before the wait"}},
    {"NoFenceForRegisters",
     PUBLISH "{|" FENCE "}.loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"no `wgmma.fence` stands between", "planted.py:11"}},
    {"NoFenceAfterSumsWereUsed",
     PUBLISH FENCE ".loc 1 10 1\n" PRODUCT COMMIT WAIT "mov.u32 %r0, 0;\n{|" FENCE
                   "}.loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"no `wgmma.fence` stands between", "planted.py:11"}},
    {"SlotFilledBeforeTheWait",
     PUBLISH FENCE ".loc 1 10 1\n" PRODUCT COMMIT "{bar.sync 0;\n.loc 1 11 1\nst.shared.b32 [%r4], 0;\n" WAIT
                   "|" WAIT "bar.sync 0;\n.loc 1 11 1\n@%q1 st.shared.b32 [%r4], 0;}",
     {"shared write of 4 bytes at 0x0: the `wgmma` at planted.py:10", "may still read them",
      "planted.py:11"}},
    {"SlotFilledByAWarpThatHasNotWaited", // the product is done for all four at once, so one that has may
                                          // fill it
     PUBLISH FENCE ".loc 1 10 1\n" PRODUCT COMMIT "{@%q1|@%q2} bra SKIP;\n" WAIT
                   "SKIP:\n.loc 1 11 1\n@%q1 st.shared.b32 [%r4+512], 0;",
     {"planted.py:11", "planted.py:10", "wgmma"}},
    {"DescriptorBeyondTheBlocksMemory",
     PUBLISH "mov.u64 %d2, {0xc0000010000103f0|0xc000001000010080};\n" FENCE
             ".loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"a matrix descriptor reaches", "planted.py:11"}},
    {"DescriptorOffItsAtom",
     PUBLISH "mov.u64 %d2, {0xc000001000010084|0xc000001000010080};\n" FENCE
             ".loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"a matrix descriptor with a start at 0x840", "aligned to 256"}},
    {"DescriptorsDifferBetweenWarps",
     PUBLISH "{@%q1 |@%q2 }mov.u64 %d2, 0xc000001000010000;\n" FENCE ".loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"the four warps of a group have one descriptor of each operand"}},
    {"DescriptorsDifferBetweenLanes",
     PUBLISH
     "and.b32 %r5, %r31, 1;\nsetp.eq.u32 %q3, %r5, 0;\n{@%q3|@%q2} mov.u64 %d2, 0xc000001000010000;\n" FENCE
     ".loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"lanes have different values as a matrix descriptor"}},
    {"OneWarpStaysAway",
     PUBLISH "{@%q1|@%q2} bra DONE;\n" FENCE ".loc 1 11 1\n" PRODUCT COMMIT WAIT "DONE:\n",
     {"never comes to the product at planted.py:11"}},
    {"WarpsComeToDifferentProducts",
     PUBLISH FENCE "{@%q1|@%q2} bra OTHER;\n.loc 1 10 1\n" PRODUCT "bra DONE;\nOTHER:\n.loc 1 11 1\n" PRODUCT
                   "DONE:\n" COMMIT WAIT,
     {"the four warps of a group execute one product together"}},
    {"HalfAWarp",
     PUBLISH
     "and.b32 %r5, %r31, 1;\nsetp.eq.u32 %q3, %r5, 0;\n" FENCE
     ".loc 1 11 1\n{@!%q3|@!%q2} wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {{%r0, %r1, %r2, %r3}}, "
     "%d1, %d2, 1, 1, 1, 0, 0;\n" COMMIT WAIT,
     {"planted.py:11"}},
    {"GroupOfTwoWarps", // its twin differs in the number of warps, not in the text
     PUBLISH FENCE ".loc 1 11 1\n" PRODUCT COMMIT WAIT,
     {"a group has four warps"},
     2},
};

std::string launch(const Planted &fault, bool right, uint64_t seed) {
  EmulatorOptions options;
  options.seed = seed;
  options.instructionLimit = 20000;
  Runner run(options);
  const DeviceAddress sums = run.fresh(128 * 16), ones = run.upload(std::vector<uint32_t>(512, 0x3f803f80));
  const std::string text = kernel(fill + choose(fault.text, right) + store, 2, ".file 1 \"planted.py\"\n");
  return run.launch(text, {sums, ones}, right ? 4 : fault.warps, {}, 2560);
}

class PlantedProductFault : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedProductFault, IsFoundAndItsTwinIsClean) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    EXPECT_EQ(launch(GetParam(), true, seed), "") << "the twin, seed " << seed;
    const std::string error = launch(GetParam(), false, seed);
    EXPECT_THAT(error, HasSubstr("kernel `k` faulted at planted.py:")) << "seed " << seed;
    for (const std::string &piece : GetParam().pieces)
      EXPECT_THAT(error, HasSubstr(piece)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlantedProductFault, ::testing::ValuesIn(planted),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace tegula::runtime::test
