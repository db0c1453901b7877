#include "tools/insight/Roofline.h"

#include "compiler/target/Target.h"
#include "tools/insight/Peaks.h"
#include "tools/insight/findings/Costs.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::explain {

namespace {

/// Warps that execute one `wgmma` together.
constexpr uint64_t WarpsOfProduct = 4;

/// The type of elements as Triton spells it; empty for those that are not counted.
llvm::StringRef elementOf(llvm::StringRef type) {
  return llvm::StringSwitch<llvm::StringRef>(type)
      .Case("f64", "fp64")
      .Case("tf32", "tf32")
      .Case("f32", "fp32")
      .Case("f16", "fp16")
      .Case("bf16", "bf16")
      .Cases({"e4m3", "e5m2"}, "fp8")
      .Cases({"s8", "u8"}, "int8")
      .Default("");
}

/// Reads `m64n128k16` as 2mnk; 0 for other text.
uint64_t flopsOfShape(llvm::StringRef shape) {
  uint64_t m = 0, n = 0, k = 0;
  if (!shape.consume_front("m") || shape.consumeInteger(10, m) || !shape.consume_front("n") ||
      shape.consumeInteger(10, n) || !shape.consume_front("k") || shape.consumeInteger(10, k))
    return 0;
  return shape.empty() ? 2 * m * n * k : 0;
}

/// Types behind the shape are those of the sum, of both operands, and perhaps of the sum once more.
std::optional<Flops> flopsOfProduct(llvm::ArrayRef<llvm::StringRef> parts, uint64_t warps) {
  const auto *shape = llvm::find_if(parts, [](llvm::StringRef part) { return flopsOfShape(part) > 0; });
  if (shape == parts.end())
    return std::nullopt;
  constexpr llvm::StringRef sumsAlone = "s32"; // the one type that is no element's
  const auto *sum = std::find_if(shape, parts.end(), [&](llvm::StringRef part) {
    return part == sumsAlone || !elementOf(part).empty();
  });
  if (sum == parts.end() || sum + 1 == parts.end() || elementOf(sum[1]).empty())
    return std::nullopt;
  return Flops{("products of " + elementOf(sum[1])).str(), 0, flopsOfShape(*shape) / warps};
}

std::optional<Flops> flopsOfOpcode(llvm::StringRef opcode) {
  llvm::SmallVector<llvm::StringRef> parts;
  opcode.split(parts, '.');
  if (opcode.starts_with("wgmma.mma_async.") || opcode.starts_with("mma.sync."))
    return flopsOfProduct(parts, parts[0] == "mma" ? 1 : WarpsOfProduct);
  const uint64_t flops = llvm::StringSwitch<uint64_t>(parts[0])
                             .Cases({"fma", "mad"}, 2)
                             .Cases({"add", "sub", "mul", "div", "sqrt", "rsqrt", "rcp"}, 1)
                             .Cases({"ex2", "lg2", "sin", "cos", "tanh"}, 1)
                             .Default(0);
  llvm::StringRef type = parts.back();
  const bool isPair = type.consume_back("x2");
  if (!flops || !llvm::is_contained({"f64", "f32", "f16", "bf16"}, type))
    return std::nullopt;
  return Flops{elementOf(type).str(), flops * (isPair ? 2 : 1), 0};
}

/// The kind whose count is the largest part of its peak, or the largest where no peaks are known.
std::string_view mostOf(const Roofline &roofline) {
  std::string_view most;
  double largest = 0;
  for (const auto &[kind, count] : roofline.flops) {
    double share = double(count);
    if (roofline.peaks) {
      const auto peak = roofline.peaks->flopsPerSecond.find(kind);
      share = peak == roofline.peaks->flopsPerSecond.end() ? 0 : share / peak->second;
    }
    if (share > largest) {
      largest = share;
      most = kind;
    }
  }
  return most;
}

} // namespace

std::optional<Flops> flopsOf(std::string_view line) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(llvm::StringRef(line.data(), line.size()), words, " \t\r;{}");
  for (llvm::StringRef word : words)
    if (std::optional<Flops> found = flopsOfOpcode(word))
      return found;
  return std::nullopt;
}

Roofline rooflineOf(const Run &run, std::string_view target) {
  Roofline made;
  const runtime::Counters &total = run.report.total;
  made.bytesMoved = (total.loadSectors + total.storeSectors) * Target::sectorBytes;
  made.bytesLeast = (total.loadSectorsIdeal + total.storeSectorsIdeal) * Target::sectorBytes;
  forInstructions(run.profile, [&](const runtime::InstructionProfile &one, llvm::StringRef line) {
    const std::optional<Flops> each = flopsOf(line);
    if (each && one.counters.threadInstructions)
      made.flops[each->kind] +=
          each->ofWarp * one.counters.warpInstructions + each->ofThread * one.counters.threadInstructions;
  });
  made.peaks = peaksOfTarget(target);
  return made;
}

std::string rooflineText(const Roofline &roofline, std::string_view target) {
  const std::string_view kind = mostOf(roofline);
  if (kind.empty() || !roofline.bytesMoved)
    return {};
  const uint64_t count = roofline.flops.find(std::string(kind))->second;
  const double intensity = double(count) / double(roofline.bytesMoved);
  std::string text = fmt::format("{} flop of {}, {:.3g} a byte moved", count, kind, intensity);
  if (!roofline.peaks)
    return text + fmt::format("; peaks of {} are not known", target);
  const double ridge =
      roofline.peaks->flopsPerSecond.find(std::string(kind))->second / roofline.peaks->bytesPerSecond;
  return text + fmt::format("; the roof is that of memory up to {:.3g}, then that of {} ({})", ridge, kind,
                            roofline.peaks->from);
}

} // namespace tegula::explain
