#include <cstdio>
#include <tegula/tegula.h>

int main(int, char **argv) {
  const int n = 1000;
  std::vector<float> ones(n, 1.0f), halves(n, 0.5f);
  tegula::Device device = tegula::Device::open();
  tegula::Program program = tegula::Program::load(argv[1]);
  tegula::Kernel add = program.kernel("add_kernel").constexpr_("BLOCK_SIZE", 256).numWarps(4);
  tegula::Array<float> x(device, ones), y(device, halves), out(device, n);
  add.launch(device, tegula::cdiv(n, 256), x, y, out, n);
  std::vector<float> sum = out.download();
  std::printf("%s: %g ... %g\n", device.name().c_str(), sum.front(), sum.back());
}
