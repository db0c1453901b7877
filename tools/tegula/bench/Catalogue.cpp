#include "tools/tegula/bench/Catalogue.h"

#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli::bench {

using runtime::Result;

size_t Entry::rank() const { return 1 + size_t(std::count(sides.begin(), sides.end(), 'x')); }

std::span<const Entry> catalogue() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> entries = memoryKernels();
    for (Entry &entry : productKernels())
      entries.push_back(std::move(entry));
    return entries;
  }();
  return all;
}

Result<Case> makeCase(const Entry &entry, const std::string &dtype, Shape shape, const Setting &setting) {
  if (shape.size() != entry.rank())
    return usageError(
        fmt::format("expected {} as the shape of `{}`, found {}", entry.sides, entry.name, shapeText(shape)));
  Case made;
  made.name = entry.name;
  made.file = entry.file;
  made.entry = entry.kernel;
  made.dtype = dtype;
  made.shape = std::move(shape);
  made.unit = entry.unit;
  TRY(entry.fill(made, *parseScalarKind(dtype), setting));
  if (setting.isSmall)
    made.configs.resize(std::min<size_t>(made.configs.size(), 1));
  return made;
}

Argument number(std::string name, int64_t value) { return {std::move(name), HostValue::integer(value)}; }

uint32_t blocks(int64_t n, int64_t block) { return uint32_t((n + block - 1) / block); }

jit::TuneConfig makeConfig(std::map<std::string, int64_t> values, uint32_t warps, runtime::Grid grid,
                           uint32_t stages) {
  jit::TuneConfig config;
  for (const auto &[name, value] : values)
    config.options.constexprs.emplace(name, BoundValue{value});
  config.options.numWarps = warps;
  config.options.numStages = stages;
  config.grid = grid;
  return config;
}

} // namespace tegula::cli::bench
