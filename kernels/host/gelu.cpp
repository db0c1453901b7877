// The host side of gelu.py in C++.
#include "kernels/host/Check.h"

#include <cmath>

namespace tegula::kernels {

static Outcome run(const Problem &p) {
  constexpr int blockSize = 1024;
  std::vector<double> x = randomValues(p.dtype, p.n, p.seed);
  DeviceValues xs(p.device, p.dtype, x);
  DeviceValues ys = DeviceValues::poisoned(p.device, p.dtype, p.n);

  Program program = Program::load(sourceFolder() + "/gelu.py");
  Kernel gelu = program.kernel("gelu_kernel").constexpr_("BLOCK_SIZE", blockSize);
  gelu.launch(p.device, cdiv(p.n, blockSize), xs.pointer(), ys.pointer(), p.n);

  std::vector<double> expected(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    expected[i] = 0.5 * x[i] * (1 + std::tanh(std::sqrt(2 / M_PI) * (x[i] + 0.044715 * x[i] * x[i] * x[i])));

  // The kernel computes in fp32 and 1 + tanh cancels where x is negative: there the error is one of the
  // factor 1, not of the result. So errors are counted against the input's size.
  std::vector<double> y = ys.download();
  double single = std::ldexp(1.0, -23);
  for (size_t i = 0; i < y.size(); ++i)
    if (std::abs(y[i] - expected[i]) <= 4 * single * std::abs(x[i]))
      expected[i] = y[i];
  return compare(p.dtype, expected, y, p.dtype == Dtype::f32 ? 4 : 1);
}

HostSide gelu() { return {"gelu", {Dtype::f32, Dtype::bf16, Dtype::f16}, run}; }

} // namespace tegula::kernels
