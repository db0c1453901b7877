// Products whose operands lie at offsets that a loop carries and computes from themselves, or from numbers of
// which each is used several times for the next: the compiler comes to an end with them, and the emulator
// agrees with the interpreter.
#include "test/random/Differential.h"
#include "test/random/WrittenKernel.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

using namespace tegula;
using namespace tegula::random;

namespace {

constexpr int Side = 32, Offsets = 512, Elements = Side * Side + Offsets;

class OffsetKernel : WrittenKernel {
public:
  using WrittenKernel::WrittenKernel;

  RandomKernel make() {
    Argument x{"x", {ScalarKind::Float16, 1, {16}}}, y{"y", {ScalarKind::Float32, 1, {16}}, true};
    for (int i = 0; i < Elements; ++i)
      x.elements.push_back(i % 3 == 0 ? 0x3c00 : i % 5 == 0 ? 0xc000 : 0); // 1, -2 and 0
    y.elements.assign(Side * Side, 0);
    kernel.arguments = {x, y};
    kernel.grid = {1, 1, 1};
    kernel.numWarps = 4;
    number("n", oneOf({16, 32, 48, 7, 1}));
    line(fmt::format("i = tl.arange(0, {})", Side));
    line(fmt::format("s = tl.zeros(({0}, {0}), tl.float32)", Side));
    line("q = n");
    line("r = n + 1");
    Node loop{fmt::format("for j in tl.range(0, {}, {}):", oneOf({"n * 8", "96", "n + 64"}), Side), {}, {}};
    loop.body = {node(fmt::format("h = {}", oneOf({"q", "j", "r * 16 + j"})))};
    if (random() % 2) {
      Node doubling{fmt::format("for k in tl.static_range({}):", 1 + random() % 30), {}, {}};
      doubling.body = {node(fmt::format("h = {}", expression("h", "h")))};
      loop.body.push_back(doubling);
    }
    loop.body.push_back(node(fmt::format("at = {}", bounded(operand()))));
    loop.body.push_back(
        node(fmt::format("a = tl.load(x + i[:, None] * {} + at + i[None, :]{})", Side, mask())));
    loop.body.push_back(node(fmt::format("at = {}", bounded(operand()))));
    loop.body.push_back(
        node(fmt::format("b = tl.load(x + (at + i)[None, :] + i[:, None] * {}{})", Side, mask())));
    loop.body.push_back(node("s = tl.dot(a, b, s)"));
    loop.body.push_back(node("t = q"));
    loop.body.push_back(node(fmt::format("q = {}", expression("q", operand()))));
    loop.body.push_back(node("r = t"));
    kernel.body.push_back(loop);
    line(fmt::format("tl.store(y + i[:, None] * {} + i[None, :], s)", Side));
    return kernel;
  }

private:
  static Node node(const std::string &text) { return {text, {}, {}}; }

  std::string operand() {
    return oneOf({"q", "r", "j", "n", "(q * n)", "(j + q)", "(h if n > 5 else j)", "(q + q * n)"});
  }
  std::string expression(const std::string &a, const std::string &b) {
    return fmt::format(
        fmt::runtime(oneOf({"{0} + {1} * n", "{0} * {1} + {0}", "tl.minimum({0} + n, {1} - n)",
                            "tl.where({0} > {1}, {0}, {1} + 16)", "({0} & {1}) + 16", "n - {0}",
                            "({0} + {1}) * ({0} - {1})", "{0} + {1}", "{0} + 16", "({0} + {1}) % n"})),
        a, b);
  }
  /// As an offset of which all elements are there.
  std::string bounded(const std::string &offset) {
    return fmt::format(fmt::runtime(oneOf({"tl.minimum(tl.maximum({0}, 0), {1})", "({0}) & {2}",
                                           "tl.maximum(tl.minimum({0}, {1}), 0)"})),
                       offset, Offsets - 16, Offsets - 16);
  }
  std::string mask() {
    return oneOf({"", "", ", mask=i[None, :] < n, other=0.0", ", mask=(i + j)[None, :] < q, other=0.0",
                  ", mask=(i[:, None] < n) & (i[None, :] < h), other=0.0"});
  }
};

} // namespace

TEST(OffsetKernels, AreCompiledAndAgree) {
  Compiler compiler;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    RandomKernel kernel = OffsetKernel(seed).make();
    const std::optional<Difference> difference = compare(compiler, kernel);
    EXPECT_FALSE(difference) << describe(kernel, *difference);
  }
}
