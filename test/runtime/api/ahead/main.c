#include <kernels.h>
#include <stdio.h>
#include <stdlib.h>

static void check(tegula_error *error) {
  if (!error)
    return;
  fprintf(stderr, "%s\n", tegula_error_text(error));
  exit(1);
}

int main(void) {
  enum { count = 1000 };
  float x[count], y[count], out[count];
  tegula_device *device = NULL;
  check(tegula_device_open("emulator", &device));
  check(tegula_use_device(device));
  check(tegula_device_map_host_to_read(device, x, sizeof x));
  check(tegula_device_map_host_to_read(device, y, sizeof y));
  check(tegula_device_map_host(device, out, sizeof out));
  /* 992 is a multiple of 16, 999 is not: two variants. */
  int sizes[2] = {992, 999};
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < count; ++k) {
      x[k] = (float)k;
      y[k] = 0.5f;
      out[k] = -1.0f;
    }
    check(add_kernel(NULL, (sizes[i] + 255) / 256, 1, 1, x, y, out, sizes[i]));
    for (int k = 0; k < count; ++k)
      if (out[k] != (k < sizes[i] ? (float)k + 0.5f : -1.0f)) {
        fprintf(stderr, "element %d of %d is %g\n", k, sizes[i], out[k]);
        return 1;
      }
  }
  printf("right: %g ... %g\n", out[0], out[998]);
  return 0;
}
