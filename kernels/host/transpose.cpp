// The host side of transpose.py in C++, on a matrix of about n elements that no block divides.
#include "kernels/host/Check.h"

#include <cmath>

namespace tegula::kernels {

static Outcome run(const Problem &p) {
  constexpr int blockM = 64, blockN = 64;
  int64_t rows = std::max<int64_t>(1, int64_t(std::sqrt(double(p.n)))), columns = cdiv(p.n, rows);
  std::vector<double> x = randomValues(p.dtype, rows * columns, p.seed);
  DeviceValues xs(p.device, p.dtype, x);
  DeviceValues ys = DeviceValues::poisoned(p.device, p.dtype, rows * columns);

  Program program = Program::load(sourceFolder() + "/transpose.py");
  Kernel transpose =
      program.kernel("transpose_kernel").constexpr_("BLOCK_M", blockM).constexpr_("BLOCK_N", blockN);
  transpose.launch(p.device, {cdiv(rows, blockM), cdiv(columns, blockN)}, xs.pointer(), ys.pointer(), rows,
                   columns, columns, rows);

  std::vector<double> expected(x.size());
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      expected[size_t(c * rows + r)] = x[size_t(r * columns + c)];
  return compare(p.dtype, expected, ys.download(), 0);
}

HostSide transpose() {
  return {"transpose",
          {Dtype::f32, Dtype::bf16, Dtype::f16, Dtype::f64, Dtype::i1, Dtype::i8, Dtype::i16, Dtype::i32,
           Dtype::i64, Dtype::u8, Dtype::u16, Dtype::u32, Dtype::u64},
          run};
}

} // namespace tegula::kernels
