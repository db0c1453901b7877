// Every bundled kernel, for every architecture and several element types: the emulator knows all instructions
// of its PTX. LLVM picks others for newer architectures than the one that other tests run.
#include "compiler/target/Target.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "test/kernels/BundledKernels.h"

#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace tegula;
using namespace tegula::test;

namespace {

class EveryTarget : public ::testing::TestWithParam<BundledKernel> {};

std::vector<BundledKernel> allKernels() {
  std::vector<BundledKernel> all(rowKernels().begin(), rowKernels().end());
  all.insert(all.end(), matrixKernels().begin(), matrixKernels().end());
  return all;
}

/// Bytes that one instruction moves, for each line of the source and kind of access.
using Widths = std::map<std::pair<uint32_t, std::string>, std::set<unsigned>>;

/// Returns the widths that remarks report.
Widths widthsSaid(const CompileResult &result) {
  Widths widths;
  static const std::regex pattern(R"(^(load|store|copy): vector width \d+ \((\d+) bytes\))");
  for (const Remark &remark : result.remarks)
    if (std::smatch found; std::regex_search(remark.text, found, pattern))
      widths[{remark.line, found[1]}].insert(unsigned(std::stoul(found[2])));
  return widths;
}

/// Returns the widths of the accesses in the PTX.
Widths widthsEmitted(const std::string &ptx) {
  static const std::regex place(R"(^\s*\.loc\s+\d+ (\d+) )"),
      access(R"(\b(ld|st)\.(?:volatile\.)?global[.\w:]*?(?:\.v(\d))?\.[busf](\d+)\b)"),
      copy(R"(\bcp\.async\.c[ag]\.shared\.global \[[^\]]*\], \[[^\]]*\], (\d+))");
  Widths widths;
  uint32_t line = 0;
  std::stringstream text(ptx);
  for (std::string row; std::getline(text, row);) {
    std::smatch found;
    if (std::regex_search(row, found, place))
      line = uint32_t(std::stoul(found[1]));
    else if (std::regex_search(row, found, access))
      widths[{line, found[1] == "ld" ? "load" : "store"}].insert(
          unsigned((found[2].matched ? std::stoul(found[2]) : 1) * std::stoul(found[3]) / 8));
    else if (std::regex_search(row, found, copy))
      widths[{line, "copy"}].insert(unsigned(std::stoul(found[1])));
  }
  return widths;
}

} // namespace

TEST_P(EveryTarget, RemarksTellTheWidthsOfThePtx) {
  const BundledKernel &kernel = GetParam();
  const Target &target = *lookupTarget("sm_90a");
  for (const std::string &type : wordsOf(kernel.types)) {
    CompileResult result = compileBundled(kernel, type, target);
    if (!result.image)
      continue;
    Widths said = widthsSaid(result), emitted = widthsEmitted(result.image->ptx);
    const bool allByTma =
        result.image->ptx.find("cp.async.bulk.tensor") != std::string::npos && emitted.empty();
    EXPECT_TRUE(allByTma || !said.empty()) << type;
    for (const auto &[place, widths] : said)
      EXPECT_EQ(widths, emitted[place]) << type << ": " << place.second << " of line " << place.first;
    // Scalars have no layout and no remark.
    for (const auto &[place, widths] : emitted)
      EXPECT_TRUE(said.contains(place) || *widths.rbegin() <= 8)
          << type << ": " << place.second << " of line " << place.first;
  }
}

TEST_P(EveryTarget, LoadsInTheEmulator) {
  const BundledKernel &kernel = GetParam();
  for (const Target &target : allTargets()) {
    if (!kernel.compilesFor(target))
      continue;
    runtime::EmulatorOptions options;
    options.arch = target.name;
    runtime::EmulatorDevice device(options);
    for (const std::string &type : wordsOf(kernel.types)) {
      CompileResult result = compileBundled(kernel, type, target);
      if (!result.image)
        continue;
      auto loaded = device.load(*result.image);
      EXPECT_TRUE(bool(loaded)) << type << " " << target.name << ": " << loaded.error().text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryTarget, ::testing::ValuesIn(allKernels()),
                         [](const auto &info) { return std::string(info.param.name); });
