// Rows that the blocks of a cluster share (compiler/distribute/SpreadTensors.cpp): kernels that load, reduce
// and store rows, in loops or not, in place or not, several axes or one. The emulator finds what the source
// means, and no race.
#include "test/random/Arguments.h"
#include "test/random/Differential.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

using namespace tegula;
using namespace tegula::random;

namespace {

/// The programs of a kernel, the rows of each, and what lies between two rows.
constexpr size_t Programs = 3, RowsOfProgram = 2, Gap = 8;

/// One random kernel. Everything is a whole number that its type holds, so that results are the same in any
/// order.
class Rows {
public:
  explicit Rows(uint64_t seed) : random(seed) {}

  RandomKernel make() {
    static const std::vector<uint32_t> warps{1, 2, 4, 4, 8}, blocks{2, 4, 8};
    kernel.numWarps = oneOf(warps);
    kernel.numCtas = oneOf(blocks);
    kernel.numStages = 3;
    kernel.grid = {Programs, 1, 1};
    elements = 32 * kernel.numWarps * kernel.numCtas << random() % 3;
    stride = elements + Gap;
    line("pid = tl.program_id(0)");
    line(fmt::format("i = tl.arange(0, {})", elements));
    kernel.arguments.push_back(array("x", false));
    kernel.arguments.push_back(array("y", false));
    kernel.arguments.push_back(array("o", true));
    kernel.arguments.push_back(counts("s"));
    kernel.arguments.push_back(limit("n", chance(30) ? elements : elements - random() % (elements / 2)));
    line("m = i < n");
    if (chance(50))
      addLoop();
    else
      addRow(fmt::format("pid * {}", RowsOfProgram), body);
    kernel.body.insert(kernel.body.end(), body.begin(), body.end());
    return std::move(kernel);
  }

private:
  bool chance(unsigned percent) { return random() % 100 < percent; }
  template <typename T> const T &oneOf(const std::vector<T> &all) { return all[random() % all.size()]; }
  void line(std::string text) { kernel.body.push_back({std::move(text), {}, {}}); }
  static void add(std::vector<Node> &to, std::string text) { to.push_back({std::move(text), {}, {}}); }

  /// Small numbers, for a row of each program and loop.
  Argument array(const std::string &name, bool isOutput) {
    Argument made = sums(name, stride * Programs * RowsOfProgram + 1);
    made.type = {ScalarKind::Int32, 1, {16}};
    made.isOutput = isOutput;
    for (uint64_t &element : made.elements)
      element = random() % 64;
    return made;
  }

  /// A number for each row.
  Argument counts(const std::string &name) {
    Argument made = array(name, true);
    made.elements.assign(Programs * RowsOfProgram, 7);
    return made;
  }

  void addLoop() {
    static const std::vector<std::string> hints{"", ", num_stages=2", ", num_stages=3"};
    std::vector<Node> inside;
    addRow(fmt::format("(pid * {} + r)", RowsOfProgram), inside);
    body.push_back(
        {fmt::format("for r in tl.range(0, {}{}):", RowsOfProgram, oneOf(hints)), std::move(inside), {}});
  }

  void addRow(const std::string &row, std::vector<Node> &to) {
    add(to, fmt::format("b = {} * {}", row, stride));
    add(to, fmt::format("v0 = tl.load(x + b + i{})", chance(70) ? ", mask=m, other=3" : ""));
    unsigned values = 1;
    if (chance(40))
      add(to, fmt::format("v{} = tl.load(y + b + i, mask=m, other=1)", values++));
    const auto value = [&] { return fmt::format("v{}", random() % values); };
    const unsigned steps = 1 + random() % 4;
    std::string last = "0";
    for (unsigned step = 0; step < steps; ++step) {
      last = fmt::format("t{}", step);
      add(to, fmt::format("{} = {}", last, reduced(value())));
      if (chance(25)) // later than a block's own part is done
        add(to, fmt::format("v{} = tl.load(o + b + i + {}, mask=m, other=2)", values++, random() % 2));
      const std::string next =
          fmt::format("v{} = tl.where({} > {}, {}, {} - 1)", values, value(), last, value(), last);
      add(to, next);
      ++values;
      if (chance(20)) {
        to.push_back({fmt::format("if {} > 20:", last),
                      {{fmt::format("v{0} = v{0} + {1}", values - 1, reduced(value())), {}, {}}},
                      {}});
      }
      if (chance(25))
        add(to, fmt::format("tl.store({} + b + i, {}, mask=m)", chance(50) ? "o" : "x", value()));
      if (chance(30)) { // an axis of two more
        const std::string two = fmt::format("w{}", step);
        add(to, fmt::format("{} = {}[None, :] + tl.arange(0, 2)[:, None] * {}", two, value(), last));
        add(to, fmt::format("v{} = tl.sum({}, axis=0)", values++, two));
      }
    }
    add(to, fmt::format("tl.store(o + b + i, {}, mask=m)", value()));
    add(to, fmt::format("tl.store(s + {}, {})", row, last));
  }

  std::string reduced(const std::string &value) {
    static const std::vector<std::string> forms{"tl.sum({}, axis=0)",
                                                "tl.max({}, axis=0)",
                                                "tl.min({}, axis=0)",
                                                "tl.argmax({}, axis=0)",
                                                "tl.argmin({} * 2, axis=0)",
                                                "tl.xor_sum({}, axis=0)",
                                                "tl.sum(({} > 9).to(tl.int32), axis=0)",
                                                "tl.max(({}).to(tl.int8), axis=0).to(tl.int32)"};
    std::string form = oneOf(forms);
    return form.replace(form.find("{}"), 2, value);
  }

  std::mt19937_64 random;
  RandomKernel kernel;
  std::vector<Node> body;
  size_t elements = 0, stride = 0;
};

} // namespace

TEST(Rows, SharedByAClusterMeanWhatTheSourceSays) {
  static Compiler compiler;
  unsigned spread = 0, ordered = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const RandomKernel kernel = Rows(seed).make();
    const std::optional<Difference> difference = compare(compiler, kernel, {.schedules = 3});
    ASSERT_FALSE(difference) << describe(kernel, *difference);
    const std::string text = textOfStage(compiler, kernel, Stage::Distributed, {});
    spread += text.find("tgpu.cluster_gather") != std::string::npos;
    ordered += text.find("tgpu.cluster_barrier") != std::string::npos;
  }
  EXPECT_EQ(spread, 60u);
  EXPECT_GT(ordered, 15u) << "of 60 kernels whose blocks wait for each other's accesses";
}
