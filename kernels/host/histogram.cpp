// The host side of histogram.py in C++: some values lie outside the bins, and the counts do not begin at 0.
#include "kernels/host/Check.h"

namespace tegula::kernels {

static Outcome run(const Problem &p) {
  constexpr int blockSize = 1024;
  constexpr int64_t bins = 40;
  std::vector<double> x = randomValues(p.dtype, p.n, p.seed); // 0 to 49
  for (size_t i = 0; i < x.size(); i += 11)
    x[i] = p.dtype == Dtype::u8 ? 255 : -1;
  std::vector<double> expected(bins, 1000.0);
  DeviceValues xs(p.device, p.dtype, x), counts(p.device, Dtype::i32, expected);

  Kernel histogram = Program::load(sourceFolder() + "/histogram.py").kernel().constexpr_("BLOCK", blockSize);
  histogram.launch(p.device, cdiv(p.n, blockSize), xs.pointer(), counts.pointer(), p.n, bins);

  for (double value : x)
    if (value >= 0 && value < double(bins))
      expected[size_t(value)] += 1;
  return compare(Dtype::i32, expected, counts.download(), 0);
}

HostSide histogram() { return {"histogram", {Dtype::i32, Dtype::u8, Dtype::i16}, run, {1, 97, 1024, 98432}}; }

} // namespace tegula::kernels
