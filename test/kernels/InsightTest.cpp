// Every bundled kernel with insight: the code is the same as without, and what is told of it fits together.
#include "test/kernels/BundledKernels.h"

#include <set>
#include <sstream>

using namespace tegula;
using namespace tegula::test;

namespace {

class InsightOf : public ::testing::TestWithParam<BundledKernel> {};

std::vector<BundledKernel> allKernels() {
  std::vector<BundledKernel> all(rowKernels().begin(), rowKernels().end());
  all.insert(all.end(), matrixKernels().begin(), matrixKernels().end());
  return all;
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

CompileOptions withInsight() {
  CompileOptions options;
  options.remarks = options.insight = true;
  return options;
}

} // namespace

TEST_P(InsightOf, TheCodeIsTheSame) {
  const BundledKernel &kernel = GetParam();
  for (const char *name : {"sm_75", "sm_80", "sm_90a", "sm_120a"}) {
    const Target &target = *lookupTarget(name);
    if (!kernel.compilesFor(target))
      continue;
    const std::string type = wordsOf(kernel.types).front();
    const CompileResult without = compileBundled(kernel, type, target);
    const CompileResult with = compileBundled(kernel, type, target, 0, withInsight());
    EXPECT_EQ(without.insight, nullptr);
    ASSERT_NE(with.insight, nullptr);
    ASSERT_EQ(bool(without.image), bool(with.image)) << name;
    if (with.image)
      EXPECT_EQ(without.image->ptx, with.image->ptx) << name;
    EXPECT_EQ(without.remarks.size(), with.remarks.size()) << name;
  }
}

/// LLVM keeps its promise that debug records change no code in most kernels and not in all; a debugger
/// compares. Most elements are in a register, or are constants.
TEST(HeldValuesOf, MostKernelsAreOfTheSameCode) {
  unsigned kernels = 0, same = 0;
  size_t elements = 0, held = 0;
  CompileOptions options = withInsight();
  options.heldValues = true;
  for (const BundledKernel &kernel : allKernels())
    for (const char *name : {"sm_80", "sm_90a"}) {
      const Target &target = *lookupTarget(name);
      if (!kernel.compilesFor(target))
        continue;
      const std::string type = wordsOf(kernel.types).front();
      const CompileResult without = compileBundled(kernel, type, target);
      const CompileResult with = compileBundled(kernel, type, target, 0, options);
      ASSERT_EQ(bool(without.image), bool(with.image)) << kernel.name << " " << name;
      if (!with.image)
        continue;
      EXPECT_EQ(with.image->ptx.find("tegula.value"), std::string::npos) << kernel.name << " " << name;
      ++kernels;
      same += without.image->ptx == with.image->ptx;
      const std::vector<std::string> lines = linesOf(with.image->ptx);
      EXPECT_FALSE(with.insight->heldElements.empty()) << kernel.name;
      for (const insight::HeldElement &element : with.insight->heldElements) {
        ASSERT_TRUE(element.textLine >= 1 && element.textLine <= lines.size());
        ASSERT_TRUE(element.value >= 0 && size_t(element.value) < with.insight->held.size());
        const bool isConstant = element.holder.starts_with("0x");
        ASSERT_TRUE(element.holder.empty() || isConstant || element.holder.starts_with("%"));
        ++elements;
        held += !element.holder.empty();
      }
    }
  EXPECT_GE(same * 100, kernels * 80) << same << " of " << kernels;
  EXPECT_GE(held * 100, elements * 75) << held << " of " << elements;
}

TEST_P(InsightOf, TablesReferToEachOther) {
  const BundledKernel &kernel = GetParam();
  const CompileResult result =
      compileBundled(kernel, wordsOf(kernel.types).front(), *lookupTarget("sm_90a"), 0, withInsight());
  ASSERT_TRUE(result.image && result.insight);
  const insight::Insight &told = *result.insight;
  ASSERT_EQ(told.stages.size(), 4u);
  const auto isPlace = [&](insight::Index place) {
    return place == insight::None || (place >= 0 && size_t(place) < told.places.size());
  };
  for (size_t i = 0; i < told.places.size(); ++i) {
    const insight::Place &place = told.places[i];
    EXPECT_TRUE(place.file >= 0 && size_t(place.file) < told.files.size());
    EXPECT_GE(place.line, 1u);
    EXPECT_GE(std::pair(place.endLine, place.endColumn), std::pair(place.line, place.column));
    EXPECT_TRUE(isPlace(place.callSite) && place.callSite < insight::Index(i)) << "a caller comes first";
  }
  std::vector<std::vector<std::string>> lines;
  for (const insight::StageText &stage : told.stages) {
    lines.push_back(linesOf(stage.text));
    EXPECT_FALSE(stage.spans.empty()) << stage.name;
    for (const insight::Span &span : stage.spans)
      EXPECT_TRUE(span.line >= 1 && span.line <= lines.back().size() && isPlace(span.place)) << stage.name;
  }
  for (const insight::Value &value : told.values) {
    ASSERT_TRUE(value.stage >= 0 && size_t(value.stage) < lines.size());
    ASSERT_TRUE(value.textLine >= 1 && value.textLine <= lines[size_t(value.stage)].size()) << value.ssa;
    EXPECT_TRUE(isPlace(value.place));
    const std::string &line = lines[size_t(value.stage)][value.textLine - 1];
    // A result of several is `%3#1` where it is used and `%3:2` where it is made.
    EXPECT_NE(line.find(value.ssa.substr(0, value.ssa.find('#'))), std::string::npos)
        << value.ssa << ": " << line;
    EXPECT_EQ(value.layout == insight::None, told.stages[size_t(value.stage)].name == "tile") << value.ssa;
  }
  for (const insight::Layout &layout : told.layouts) {
    size_t bits = 0;
    for (const insight::LayoutAxis &axis : layout.ins)
      bits += axis.bits;
    EXPECT_EQ(layout.bases.size(), bits);
    for (const std::vector<int32_t> &basis : layout.bases) {
      ASSERT_EQ(basis.size(), layout.outs.size());
      for (size_t axis = 0; axis < basis.size(); ++axis)
        EXPECT_LT(uint32_t(basis[axis]), uint32_t(1) << layout.outs[axis].bits);
    }
  }
}

TEST_P(InsightOf, WaitsOfALoopAreForItsSteps) {
  const BundledKernel &kernel = GetParam();
  for (const char *name : {"sm_80", "sm_90a"}) {
    const Target &target = *lookupTarget(name);
    if (!kernel.compilesFor(target))
      continue;
    const CompileResult result =
        compileBundled(kernel, wordsOf(kernel.types).front(), target, 0, withInsight());
    ASSERT_TRUE(result.image && result.insight);
    for (const insight::Loop &loop : result.insight->loops) {
      std::set<uint32_t> warps, waits;
      for (const insight::WarpGroup &group : loop.groups)
        for (uint32_t warp = group.firstWarp; warp < group.firstWarp + group.warps; ++warp)
          EXPECT_TRUE(warps.insert(warp).second) << "warp " << warp << " is in two groups";
      for (size_t i = 0; i < loop.steps.size(); ++i) {
        ASSERT_LT(loop.steps[i].group, loop.groups.size());
        EXPECT_TRUE(i == 0 || loop.steps[i - 1].group <= loop.steps[i].group);
        if (loop.steps[i].op == "tgpu.barrier_wait" || loop.steps[i].op == "tgpu.async_wait")
          waits.insert(uint32_t(i));
      }
      for (const insight::LoopSignal &signal : loop.signals) {
        ASSERT_LT(std::max(signal.from, signal.to), loop.steps.size());
        // Between groups a slot that is read goes back to the producer, and one that is filled to the others.
        if (loop.groups.size() == 2)
          EXPECT_EQ(loop.steps[signal.from].group, signal.kind == "full" ? 0u : 1u);
        EXPECT_LE(signal.later, loop.stages);
        EXPECT_TRUE(loop.steps[signal.to].kind == "wait");
        waits.erase(signal.to);
      }
      EXPECT_TRUE(waits.empty()) << name << ": step " << *waits.begin() << " waits for nothing";
    }
  }
}

TEST_P(InsightOf, SharedMemoryIsWhatTheImageAsksFor) {
  const BundledKernel &kernel = GetParam();
  const CompileResult result =
      compileBundled(kernel, wordsOf(kernel.types).front(), *lookupTarget("sm_90a"), 0, withInsight());
  ASSERT_TRUE(result.image && result.insight);
  const std::vector<insight::SharedPiece> &pieces = result.insight->shared;
  uint64_t end = 0;
  for (const insight::SharedPiece &one : pieces)
    end = std::max(end, one.offset + one.bytes);
  // A block has the programs' parts side by side, and none where nothing is shared.
  EXPECT_EQ(end == 0, result.image->sharedBytes == 0);
  EXPECT_LE(end * result.image->programsPerBlock, result.image->sharedBytes);
  for (const insight::SharedPiece &a : pieces)
    for (const insight::SharedPiece &b : pieces)
      EXPECT_TRUE(&a == &b || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset ||
                  a.to < b.from || b.to < a.from)
          << a.what << " and " << b.what << " live at a time in the same bytes";
  const insight::PressurePeak &peak = result.insight->pressure.peak;
  uint32_t held = 0;
  for (const auto &[value, registers] : peak.holders)
    held += registers;
  EXPECT_EQ(held, peak.registers);
  for (const insight::PressureRow &row : result.insight->pressure.rows)
    EXPECT_LE(row.registers, peak.registers);
}

INSTANTIATE_TEST_SUITE_P(Kernels, InsightOf, ::testing::ValuesIn(allKernels()),
                         [](const auto &info) { return std::string(info.param.name); });
