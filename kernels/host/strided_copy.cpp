// The host side of strided_copy.py in C++: gathers every third element, then spreads it again by two.
#include "kernels/host/Check.h"

namespace tegula::kernels {

static Outcome run(const Problem &p) {
  constexpr int blockSize = 1024;
  constexpr int64_t readStride = 3, writeStride = 2;
  std::vector<double> x = randomValues(p.dtype, p.n * readStride, p.seed);
  DeviceValues xs(p.device, p.dtype, x),
      ys(p.device, p.dtype, std::vector<double>(size_t(p.n * writeStride), 0.0));

  Program program = Program::load(sourceFolder() + "/strided_copy.py");
  Kernel copy = program.kernel("strided_copy_kernel").constexpr_("BLOCK_SIZE", blockSize);
  copy.launch(p.device, cdiv(p.n, blockSize), xs.pointer(), ys.pointer(), p.n, readStride, writeStride);

  std::vector<double> expected(size_t(p.n * writeStride), 0.0);
  for (int64_t i = 0; i < p.n; ++i)
    expected[size_t(i * writeStride)] = x[size_t(i * readStride)];
  return compare(p.dtype, expected, ys.download(), 0);
}

HostSide stridedCopy() {
  return {"strided_copy",
          {Dtype::f32, Dtype::bf16, Dtype::f16, Dtype::f64, Dtype::i1, Dtype::i8, Dtype::i16, Dtype::i32,
           Dtype::i64, Dtype::u8, Dtype::u16, Dtype::u32, Dtype::u64},
          run};
}

} // namespace tegula::kernels
