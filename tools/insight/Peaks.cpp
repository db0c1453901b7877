#include "tools/insight/Peaks.h"

#include "compiler/target/Target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tegula::explain {

namespace {

constexpr double Giga = 1e9, Tera = 1e12;

/// The figures of a device on its data sheet. Products are of dense matrices; those of 16 and 8 bits add up in fp32,
/// where a device is slower at that.
struct DataSheet {
  std::string_view device, target;
  uint32_t multiprocessors;
  double megahertz; ///< at which the peaks of arithmetic hold
  double gigabytes; ///< of memory, in a second
  /// 10^12 operations in a second; 0 where its units do not do them.
  double fp64, fp32, productsFp64, productsTf32, productsFp16, productsBf16, productsFp8, productsInt8;
};

/// The first of a target is the one that stands for it.
constexpr std::array Sheets = {
    DataSheet{"NVIDIA T4", "sm_75", 40, 1590, 320, 0, 8.1, 0, 0, 65, 0, 0, 130},
    DataSheet{"NVIDIA A100 SXM 80GB", "sm_80", 108, 1410, 2039, 9.7, 19.5, 19.5, 156, 312, 312, 0, 624},
    DataSheet{"NVIDIA A40", "sm_86", 84, 1740, 696, 0, 37.4, 0, 74.8, 149.7, 149.7, 0, 299.3},
    DataSheet{"NVIDIA L40S", "sm_89", 142, 2520, 864, 0, 91.6, 0, 183, 362, 362, 733, 733},
    DataSheet{"NVIDIA H200 SXM", "sm_90a", 132, 1830, 4800, 34, 67, 67, 494.5, 989.5, 989.5, 1979, 1979},
    DataSheet{"NVIDIA B200", "sm_100a", 148, 1856, 8000, 37, 75, 37, 1125, 2250, 2250, 4500, 4500},
    DataSheet{"NVIDIA GeForce RTX 5090", "sm_120a", 170, 2407, 1792, 0, 104.8, 0, 104.8, 209.5, 209.5, 419,
              838},
};

/// The peaks of arithmetic by their kinds, as `flopsOf` names them.
std::map<std::string, double> arithmeticOf(const DataSheet &sheet, double scale) {
  const std::pair<const char *, double> kinds[] = {
      {"fp64", sheet.fp64},
      {"fp32", sheet.fp32},
      {"products of fp64", sheet.productsFp64},
      {"products of tf32", sheet.productsTf32},
      {"products of fp16", sheet.productsFp16},
      {"products of bf16", sheet.productsBf16},
      {"products of fp8", sheet.productsFp8},
      {"products of int8", sheet.productsInt8},
  };
  std::map<std::string, double> made;
  for (const auto &[kind, peak] : kinds)
    if (peak > 0)
      made[kind] = peak * Tera * scale;
  return made;
}

} // namespace

std::optional<Peaks> peaksOfTarget(std::string_view target) {
  const auto *sheet = std::ranges::find(Sheets, target, &DataSheet::target);
  if (sheet == Sheets.end())
    return std::nullopt;
  return Peaks{fmt::format("data sheet of {}", sheet->device), sheet->gigabytes * Giga,
               arithmeticOf(*sheet, 1)};
}

std::optional<Peaks> peaksOfDevice(const runtime::DeviceProperties &device) {
  const auto *sheet = std::ranges::find_if(Sheets, [&](const DataSheet &one) {
    const Target *target = lookupTarget(one.target);
    return target && target->major == device.computeMajor && target->minor == device.computeMinor;
  });
  if (sheet == Sheets.end() || !device.clockKilohertz || !device.memoryClockKilohertz ||
      !device.memoryBusBits)
    return std::nullopt;
  const double scale = double(device.multiprocessors) * device.clockKilohertz /
                       (sheet->multiprocessors * sheet->megahertz * 1e3);
  constexpr double transfersInCycle = 2; // at both edges of the clock
  const double bytes = transfersInCycle * device.memoryClockKilohertz * 1e3 * device.memoryBusBits / 8;
  return Peaks{fmt::format("clocks that {} reports", device.name), bytes, arithmeticOf(*sheet, scale)};
}

} // namespace tegula::explain
