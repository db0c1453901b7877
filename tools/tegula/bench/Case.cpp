#include "tools/tegula/bench/Case.h"

#include "tools/tegula/output/ConfigText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tegula::cli::bench {

const char *unitName(Unit unit) { return unit == Unit::Teraflops ? "TFLOPS" : "GB/s"; }

std::string shapeText(const Shape &shape) { return fmt::format("{}", fmt::join(shape, "x")); }

std::string Case::label() const { return fmt::format("{} {} {}", name, dtype, shapeText(shape)); }

double Case::rate(double milliseconds) const {
  return work / milliseconds * (unit == Unit::Teraflops ? 1e-9 : 1e-6);
}

std::string configText(const jit::TuneConfig &config) {
  KernelConfig written;
  written.values = config.options.constexprs;
  written.numWarps = config.options.warps();
  written.numStages = config.options.stages();
  written.numCtas = config.numCtas;
  const runtime::Grid &grid = config.grid;
  return fmt::format("{}, grid {}{}{}", cli::configText(written), grid.x,
                     grid.y > 1 || grid.z > 1 ? fmt::format("x{}", grid.y) : "",
                     grid.z > 1 ? fmt::format("x{}", grid.z) : "");
}

} // namespace tegula::cli::bench
