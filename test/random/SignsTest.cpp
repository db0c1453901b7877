// Kernels that divide numbers of either sign: the interpreter and the emulator agree, or one of them says
// that what was trusted not to be negative was.
#include "test/random/Differential.h"
#include "test/random/WrittenKernel.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

using namespace tegula;
using namespace tegula::random;

namespace {

constexpr int Elements = 1024, Middle = 8192;

class DividingKernel : WrittenKernel {
public:
  using WrittenKernel::WrittenKernel;

  RandomKernel make() {
    const ScalarKind type = oneOf({ScalarKind::Int8, ScalarKind::Int16, ScalarKind::Int32});
    Argument x{"x", {type, 1, {16}}}, y{"y", {type, 1, {16}}, true};
    for (int i = 0; i < 2 * Middle; ++i)
      x.elements.push_back(uint64_t(i * 7 + i / 128) & ((uint64_t(1) << 8 * scalarKindBytes(type)) - 1));
    y.elements.assign(2 * Elements, 0);
    kernel.arguments = {x, y};
    kernel.grid = {2, 1, 1};
    kernel.numWarps = oneOf({1u, 4u});
    number("off", oneOf({0, 16, 64, 512, 1024, 1536, 8, 3}));
    number("w", oneOf({16, 32, 48, 64, 128, 7, 24}));
    number("n", oneOf({0, 16, -16, 5, 40}));
    line(fmt::format("p = tl.program_id(0) * {0} + tl.arange(0, {0})", Elements));
    line(oneOf({"i = p - off", "i = p", "i = p * 1 - 512", "i = p.to(tl.int64) - off"}));
    line(oneOf({"e = i % w", "e = i // w", "e = (i // w) * w + i % w", "e = i % 64", "e = i // 64",
                "e = (i // 64) * 128 + i % 64", "e = tl.where(i % w < 0, i % w + w, i % w)",
                "e = tl.where(i % 32 < 0, (i % 32) + 32, i % 32)", "e = (i % w) // 2 * 2 + i % 2"}));
    line(oneOf({"m = p >= 0", "m = i >= 0", "m = e >= 0", "m = i % 32 < n", "m = (i >= 0) & (e < 40)"}));
    line(fmt::format("tl.store(y + p, tl.load(x + {} + e, mask=m, other=3))", Middle));
    return kernel;
  }
};

} // namespace

TEST(DividingKernels, AgreeOrSayThatTrustWasWrong) {
  Compiler compiler;
  int agreed = 0, interpreted = 0, emulated = 0;
  for (uint64_t seed = 0; seed < 160; ++seed) {
    const RandomKernel kernel = DividingKernel(seed).make();
    const std::optional<Difference> difference = compare(compiler, kernel);
    const bool isTrust =
        difference && difference->text.find("was trusted not to be negative") != std::string::npos;
    agreed += !difference;
    interpreted += isTrust && difference->kind == Difference::Source;
    emulated += isTrust && difference->kind == Difference::Emulation;
    EXPECT_TRUE(!difference || isTrust) << describe(kernel, *difference);
  }
  EXPECT_GT(agreed, 60);
  EXPECT_GT(interpreted, 5);
  // A mask that comes from a trusted division is checked in full by the emulator, and may be right all the
  // same.
  EXPECT_LT(emulated, 20);
}
