// Products of an iteration that are in flight together (compiler/schedule/products/DeferWaits.cpp): loops of
// two to five products, of which some need the sums of others, with loads, stores and arithmetic between
// them. Each stage of the compiler and the emulator find what the source means.
#include "test/random/Arguments.h"
#include "test/random/Differential.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

using namespace tegula;
using namespace tegula::random;

namespace {

/// The sides of everything but the rows, which are 16 a warp.
constexpr size_t Side = 32, Iterations = 4;

Argument numbers(const std::string &name, size_t count, unsigned seed) {
  constexpr uint64_t bits[] = {0x0000, 0x3f80, 0xbf80, 0x4000, 0x3f80, 0xbf80}; // 0, 1, -1 and 2 as bf16
  return tegula::random::numbers(name, count, bits, 7, seed);
}

/// One random loop. Everything is a whole number that its type holds, so that results are the same in any
/// order.
class Loop {
public:
  explicit Loop(uint64_t seed) : random(seed) {}

  RandomKernel make() {
    kernel.numWarps = chance(50) ? 4 : 8;
    kernel.numStages = 2 + unsigned(random() % 3);
    rows = 16 * kernel.numWarps;
    kernel.body = {{fmt::format("r = tl.arange(0, {})", rows), {}, {}},
                   {"c = tl.arange(0, 32)", {}, {}},
                   {"tile = r[:, None] * 32 + c[None, :]", {}, {}}};
    for (const char *name : {"p", "q"}) {
      kernel.arguments.push_back(numbers(name, rows * Side, unsigned(random() % 6)));
      line(fmt::format("{0}0 = tl.load({0} + tile)", name));
    }
    for (const char *name : {"x", "y"})
      kernel.arguments.push_back(numbers(name, Iterations * Side * Side, unsigned(random() % 6)));
    kernel.arguments.push_back(numbers("z", Iterations * rows, 1));
    addLoop();
    for (const std::string &each : carried)
      storeTo("o_" + each, each);
    return std::move(kernel);
  }

private:
  bool chance(unsigned percent) { return random() % 100 < percent; }
  template <typename T> const T &oneOf(const std::vector<T> &all) { return all[random() % all.size()]; }
  void line(std::string text) { kernel.body.push_back({std::move(text), {}, {}}); }
  void inLoop(std::string text) { body.push_back({std::move(text), {}, {}}); }

  void storeTo(const std::string &name, const std::string &value) {
    kernel.arguments.push_back(sums(name, rows * Side));
    line(fmt::format("tl.store({} + tile, {})", name, value));
  }

  void addLoop() {
    inLoop("xs = tl.load(x + i * 1024 + c[:, None] * 32 + c[None, :])");
    inLoop("ys = tl.load(y + i * 1024 + c[:, None] * 32 + c[None, :])");
    const size_t count = 2 + random() % 4;
    for (size_t number = 0; number < count; ++number)
      addProduct(number);
    const std::string range = chance(50) ? "0, 4" : "0, n";
    kernel.arguments.push_back(limit("n", random() % (Iterations + 1)));
    kernel.body.push_back(
        {fmt::format("for i in tl.range({}{}):", range, chance(30) ? ", warp_specialize=True" : ""),
         std::move(body),
         {}});
  }

  /// A product of what came before the loop, or of what threads compute from another's sums.
  void addProduct(size_t number) {
    const std::string name = fmt::format("s{}", number);
    std::vector<std::string> operands{"xs", "ys", "tl.trans(xs)", "tl.trans(ys)"};
    std::string left = chance(50) ? "p0" : "q0";
    if (!computed.empty() && chance(55))
      left = fmt::format("{}.to(tl.bfloat16)", oneOf(computed));
    if (chance(45)) {
      const std::string sum = fmt::format("a{}", number);
      line(fmt::format("{} = tl.zeros(({}, 32), tl.float32)", sum, rows));
      carried.push_back(sum);
      inLoop(fmt::format("{0} = tl.dot({1}, {2}, {0})", sum, left, oneOf(operands)));
      return;
    }
    inLoop(fmt::format("{} = tl.dot({}, {})", name, left, oneOf(operands)));
    const std::string small = fmt::format("t{}", number);
    std::string value = fmt::format("tl.minimum(tl.maximum({}, -3.0), 3.0)", name);
    if (chance(30)) // a vector that threads load for themselves
      value = fmt::format("tl.where(tl.load(z + i * {} + r)[:, None] > 0, {}, 1.0)", rows, value);
    inLoop(fmt::format("{} = {}", small, value));
    if (!computed.empty() && chance(40))
      inLoop(fmt::format("{0} = tl.minimum({0} * {1}, 4.0)", small, oneOf(computed)));
    if (chance(15)) {
      const std::string out = fmt::format("w{}", number);
      kernel.arguments.push_back(sums(out, Iterations * rows * Side));
      inLoop(fmt::format("tl.store({} + i * {} + tile, {})", out, rows * Side, small));
    }
    computed.push_back(small);
    const std::string sum = fmt::format("b{}", number);
    line(fmt::format("{} = tl.zeros(({}, 32), tl.float32)", sum, rows));
    carried.push_back(sum);
    inLoop(fmt::format("{0} = {0} + {1}", sum, small));
  }

  std::mt19937_64 random;
  RandomKernel kernel;
  std::vector<Node> body;
  std::vector<std::string> computed, carried;
  size_t rows = 0;
};

} // namespace

TEST(ProductsTogether, MeanWhatTheSourceSays) {
  static Compiler compiler;
  unsigned deferred = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const RandomKernel kernel = Loop(seed).make();
    const std::optional<Difference> difference = compare(compiler, kernel, {.schedules = 2});
    ASSERT_FALSE(difference) << describe(kernel, *difference);
    deferred +=
        textOfStage(compiler, kernel, Stage::Scheduled, {}).find("mma_wait pending 1") != std::string::npos;
  }
  EXPECT_GT(deferred, 10u) << "of 40 loops that have products in flight together";
}
