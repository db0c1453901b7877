// The host side of all_reduce.py in C++, on one device: the memory of all ranks lies there, and the signals
// of the peers are in this rank's pad before the launch. So every number of ranks is tried, but for what
// happens in time between them.
#include "kernels/host/Check.h"

#include <cmath>

namespace tegula::kernels {
namespace {

constexpr int64_t programs = 3, rows = 5;
constexpr double epsilon = 1e-6;

/// One rank's launch among `world` ranks.
struct Launch {
  int64_t world, rank;
  bool norm;
};

/// Pads as a launch finds them: two signals of each peer for each program, one for each of the barriers.
std::vector<double> padOf(const Launch &l, int64_t owner) {
  std::vector<double> words(size_t(programs * l.world), 0.0);
  for (size_t word = 0; owner == l.rank && word < words.size(); ++word)
    words[word] = int64_t(word) % l.world == l.rank ? 0 : 2;
  return words;
}

/// Pads as it leaves them: its own is empty, each peer has two signals of it.
std::vector<double> padAfter(const Launch &l, int64_t owner) {
  std::vector<double> words(size_t(programs * l.world), 0.0);
  for (int64_t program = 0; owner != l.rank && program < programs; ++program)
    words[size_t(program * l.world + l.rank)] = 2;
  return words;
}

/// Values of the memory of all ranks, and the table of their addresses.
struct Symmetric {
  Symmetric(const Device &device, Dtype dtype, const std::vector<std::vector<double>> &values)
      : table(device, Dtype::i64, addresses(device, dtype, values)) {}

  std::vector<double> addresses(const Device &device, Dtype dtype,
                                const std::vector<std::vector<double>> &values) {
    std::vector<double> found;
    for (const std::vector<double> &each : values) {
      parts.emplace_back(device, dtype, each);
      found.push_back(double(parts.back().pointer().address));
    }
    return found;
  }
  std::vector<DeviceValues> parts;
  DeviceValues table;
};

Outcome runLaunch(const Problem &p, const Kernel &kernel, const Launch &l) {
  const int64_t count = rows * p.n;
  const double single = std::ldexp(1.0, -24);
  std::vector<std::vector<double>> xs, pads;
  for (int64_t rank = 0; rank < l.world; ++rank) {
    xs.push_back(randomValues(p.dtype, count, p.seed + uint64_t(rank)));
    pads.push_back(padOf(l, rank));
  }
  const std::vector<double> residual = randomValues(p.dtype, count, p.seed + 100);
  const std::vector<double> weight = randomValues(p.dtype, p.n, p.seed + 101);
  Symmetric buffers(p.device, p.dtype, xs), signals(p.device, Dtype::i32, pads);
  DeviceValues residuals(p.device, p.dtype, residual), weights(p.device, p.dtype, weight);
  DeviceValues ys = DeviceValues::poisoned(p.device, p.dtype, count);
  kernel.launch(p.device, programs, buffers.table.pointer(), signals.table.pointer(), ys.pointer(),
                residuals.pointer(), weights.pointer(), count, p.n, epsilon, l.rank);

  std::vector<double> sums(size_t(count), 0.0), allowed(size_t(count), 0.0);
  for (size_t i = 0; i < sums.size(); ++i) {
    double magnitude = l.norm ? std::abs(residual[i]) : 0;
    sums[i] = l.norm ? residual[i] : 0;
    for (const std::vector<double> &x : xs) {
      sums[i] += x[i];
      magnitude += std::abs(x[i]);
    }
    allowed[i] = 8 * single * magnitude;
  }
  Outcome outcome;
  std::vector<double> expected = sums;
  if (l.norm) {
    outcome.add(compare(p.dtype, sums, residuals.download(), allowed), "the residual");
    for (int64_t row = 0; row < rows; ++row) {
      double squares = 0;
      for (int64_t c = 0; c < p.n; ++c)
        squares += sums[size_t(row * p.n + c)] * sums[size_t(row * p.n + c)];
      const double scale = 1 / std::sqrt(squares / double(p.n) + epsilon);
      for (int64_t c = 0; c < p.n; ++c) {
        const size_t i = size_t(row * p.n + c);
        expected[i] = sums[i] * scale * weight[size_t(c)];
        allowed[i] =
            4 * allowed[i] * scale * std::abs(weight[size_t(c)]) + 32 * single * std::abs(expected[i]);
      }
    }
  }
  outcome.add(compare(p.dtype, expected, ys.download(), allowed), "the result");
  for (int64_t rank = 0; rank < l.world; ++rank)
    outcome.add(compare(Dtype::i32, padAfter(l, rank), signals.parts[size_t(rank)].download(), 0),
                "the pad of rank " + std::to_string(rank));
  return outcome;
}

/// In place: the sums of this rank's share of the blocks on all ranks, and everything else as it was.
Outcome runInPlace(const Problem &p, const Kernel &kernel, const Launch &l, int64_t block) {
  const int64_t count = rows * p.n;
  std::vector<std::vector<double>> xs, pads;
  for (int64_t rank = 0; rank < l.world; ++rank) {
    xs.push_back(randomValues(p.dtype, count, p.seed + uint64_t(rank)));
    pads.push_back(padOf(l, rank));
  }
  Symmetric buffers(p.device, p.dtype, xs), signals(p.device, Dtype::i32, pads);
  kernel.launch(p.device, programs, buffers.table.pointer(), signals.table.pointer(),
                buffers.parts[size_t(l.rank)].pointer(), count, l.rank);
  std::vector<std::vector<double>> expected = xs;
  std::vector<double> allowed(size_t(count), 0.0);
  for (int64_t i = 0; i < count; ++i) {
    if (i / block % l.world != l.rank)
      continue;
    double sum = 0;
    for (const std::vector<double> &x : xs) {
      sum += x[size_t(i)];
      allowed[size_t(i)] += std::ldexp(std::abs(x[size_t(i)]), -21);
    }
    for (std::vector<double> &x : expected)
      x[size_t(i)] = sum;
  }
  Outcome outcome;
  for (size_t rank = 0; rank < expected.size(); ++rank) {
    outcome.add(compare(p.dtype, expected[rank], buffers.parts[rank].download(), allowed),
                "x of rank " + std::to_string(rank));
    outcome.add(compare(Dtype::i32, padAfter(l, int64_t(rank)), signals.parts[rank].download(), 0),
                "the pad of rank " + std::to_string(rank));
  }
  return outcome;
}

Outcome run(const Problem &p) {
  constexpr int64_t block = 128;
  const Program program = Program::load(sourceFolder() + "/all_reduce.py");
  Outcome outcome;
  for (const Launch &l : {Launch{1, 0, false}, Launch{2, 1, true}, Launch{3, 0, true}, Launch{4, 2, false},
                          Launch{8, 7, true}}) {
    const std::string part = "rank " + std::to_string(l.rank) + " of " + std::to_string(l.world);
    const Kernel kernel = program.kernel("all_reduce_kernel")
                              .constexpr_("WORLD", l.world)
                              .constexpr_("NORM", l.norm)
                              .constexpr_("BLOCK", nextPowerOf2(p.n));
    outcome.add(runLaunch(p, kernel, l), part);
    const Kernel inPlace =
        program.kernel("all_reduce_in_place_kernel").constexpr_("WORLD", l.world).constexpr_("BLOCK", block);
    outcome.add(runInPlace(p, inPlace, l, block), part + ", in place");
  }
  return outcome;
}

} // namespace

HostSide allReduce() {
  return {"all_reduce", {Dtype::f32, Dtype::bf16, Dtype::f16}, run, {1, 97, 256, 1000, 4096}};
}

} // namespace tegula::kernels
