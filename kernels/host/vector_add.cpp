// The host side of vector_add.py in C++.
#include "kernels/host/Check.h"

namespace tegula::kernels {

static Outcome run(const Problem &p) {
  constexpr int blockSize = 1024;
  std::vector<double> x = randomValues(p.dtype, p.n, p.seed), y = randomValues(p.dtype, p.n, p.seed + 1);
  DeviceValues xs(p.device, p.dtype, x), ys(p.device, p.dtype, y);
  DeviceValues sums = DeviceValues::poisoned(p.device, p.dtype, p.n);

  Program program = Program::load(sourceFolder() + "/vector_add.py");
  Kernel add = program.kernel("add_kernel").constexpr_("BLOCK_SIZE", blockSize);
  add.launch(p.device, cdiv(p.n, blockSize), xs.pointer(), ys.pointer(), sums.pointer(), p.n);

  std::vector<double> expected(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    expected[i] = rounded(p.dtype, x[i] + y[i]);
  return compare(p.dtype, expected, sums.download(), 0);
}

HostSide vectorAdd() {
  return {"vector_add",
          {Dtype::f32, Dtype::bf16, Dtype::f16, Dtype::f64, Dtype::i8, Dtype::i16, Dtype::i32, Dtype::i64,
           Dtype::u8, Dtype::u16, Dtype::u32, Dtype::u64},
          run};
}

} // namespace tegula::kernels
