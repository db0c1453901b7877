// What `tegula bench` found out about a case.
#pragma once

#include "runtime/emulator/EmulatorReport.h"
#include "tools/tegula/bench/Case.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula::cli::bench {

/// Who computed it: "Tegula", "Triton", "cuBLAS", "cuDNN", "torch" or "copy".
struct Side {
  std::string name;
  double median = 0, low = 0, high = 0; ///< milliseconds; the quantiles 0.2 and 0.8
  std::optional<double> ratio;          ///< the median over rounds of its time to ours: above 1 we are faster
  std::string config;                   ///< of what is compiled
};

struct Row {
  Case subject;
  std::vector<Side> sides; ///< ours is the first; empty on the emulator
  bool isChosenEarlier = false;
  uint32_t registers = 0, spillBytes = 0, sharedBytes = 0;
  std::optional<runtime::Counters> counts; ///< on the emulator
  std::vector<jit::Trial> trials;          ///< of a sweep, by config

  const Side *side(std::string_view name) const;
};

/// All rows of a run.
struct Results {
  std::string device;                ///< the driver's name of the chip, or "emulator"
  std::vector<std::string> versions; ///< of peers: "Triton 3.6.0"
  std::vector<Row> rows;
  std::vector<std::string> failed; ///< labels of cases that could not be measured
  std::vector<std::string> left;   ///< labels of cases that there was no time for

  bool isCounted() const { return !rows.empty() && rows.front().counts.has_value(); }
  /// Names of the sides that rows of `unit` have.
  std::vector<std::string> sidesOf(Unit unit) const;
  std::vector<const Row *> rowsOf(Unit unit) const;
};

/// Quantile `part` of samples, which need no order.
double quantile(std::vector<double> samples, double part);

} // namespace tegula::cli::bench
