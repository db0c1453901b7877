#include <cstdio>
#include <kernels.h>

int main() {
  float x[64], out[64] = {};
  for (int i = 0; i < 64; ++i)
    x[i] = float(i);
  tegula_device *device = nullptr;
  if (tegula_device_open("emulator", &device) || tegula_use_device(device) ||
      tegula_device_map_host(device, x, sizeof x) || tegula_device_map_host(device, out, sizeof out))
    return 1;
  if (tegula_error *error = twice_of(nullptr, 1, 1, 1, x, x, out, 64)) {
    std::puts(tegula_error_text(error));
    return 1;
  }
  // A grid of nothing is nothing.
  if (twice_of(nullptr, 0, 1, 1, x, x, out, 64))
    return 1;
  // What no variant takes is said, by argument and fact.
  tegula_error *refused = twice_of(nullptr, 1, 1, 1, x + 1, x, out, 64);
  std::printf("%g %g\n%s\n", out[1], out[63], refused ? tegula_error_text(refused) : "taken");
  tegula_error_free(refused);
}
