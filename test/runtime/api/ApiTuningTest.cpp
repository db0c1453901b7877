// Tuning in the public C++ API, alone and with other ranks.
#include "ApiFixture.h"

#include <stdexcept>

namespace {

using ApiTuningTest = ApiFixture;

TEST_F(ApiTuningTest, TheFastestConfigIsFoundByMeasuring) {
  auto tuned = tegula::Program::parse("tuned.py", R"(
import triton
import triton.language as tl

@triton.autotune([triton.Config({"BLOCK": 32}, num_warps=1), triton.Config({"BLOCK": 64}, num_warps=1)], key=["n"])
@triton.jit
def ones(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, 1.0, mask=at < n)
)")
                   .kernel("ones");
  tegula::Array<float> x(device, std::vector<float>(100, 0.0f));
  std::vector<int64_t> blocks;
  auto grid = [&](const tegula::Kernel &config) {
    blocks.push_back(*config.constant("BLOCK"));
    return tegula::Grid(tegula::cdiv(100, blocks.back()));
  };
  const int best = tuned.tune(device, grid, x, 100);
  EXPECT_TRUE(best == 0 || best == 1) << best;
  EXPECT_EQ(blocks, (std::vector<int64_t>{32, 64}));
  EXPECT_EQ(x.download(), std::vector<float>(100, 1.0f));
  EXPECT_EQ(fill.constant("n"), std::nullopt);
  // With a rank that always offers the same, and with one that has gone.
  std::vector<std::string> asked;
  tegula::setAgreement(1, 2, [&](const std::string &key, const std::string &offer) {
    asked.push_back(key);
    return std::vector{offer, offer};
  });
  EXPECT_NO_THROW(tuned.tune(device, grid, x, 100));
  EXPECT_EQ(asked, (std::vector<std::string>{"ones: configs", "ones: compiled", "ones: times"}));
  tegula::setAgreement(1, 2, [](const std::string &, const std::string &) -> std::vector<std::string> {
    throw std::runtime_error("rank 0 has gone");
  });
  EXPECT_EQ(thrown([&] { tuned.tune(device, grid, x, 100); }).second, "rank 0 has gone");
  tegula::setAgreement(0, 1, {});
  EXPECT_NO_THROW(tuned.tune(device, grid, x, 100));
  EXPECT_EQ(
      thrown([] { tegula::setAgreement(2, 2, [](auto &, auto &) { return std::vector<std::string>(); }); }),
      std::pair(tegula::ErrorKind::InvalidArgument, std::string("expected a rank below 2, found 2")));
  EXPECT_EQ(thrown([&] { fill.tune(device, grid, x, 100, 1.0f); }).second,
            "kernel `fill` has no configs, as no `triton.autotune` gives any");
  EXPECT_EQ(thrown([&] {
              tuned.tune(device, [](const tegula::Kernel &) { return tegula::Grid(0); }, x, 100);
            }).second,
            "the grid of config 0 is empty");
}

} // namespace
