/* Eight threads compile and launch at once: the same kernel, and each a variant of its own. */
#include "Check.h"

#include <pthread.h>

#define THREADS 8
#define ROUNDS 20

static tegula_device *device;
static tegula_kernel *kernel;

static void *work(void *argument) {
  const int number = *(int *)argument;
  const uint32_t grid[3] = {1, 1, 1};
  uint64_t address = 0;
  double doubles[32] = {0};
  OK(tegula_device_allocate(device, sizeof doubles, &address));
  OK(tegula_device_upload(device, address, doubles, sizeof doubles));
  const tegula_dtype types[] = {TEGULA_FP32, TEGULA_FP64};
  for (int round = 0; round < ROUNDS; ++round) {
    /* A length of its own kind in each round: a multiple of 16, one, others. */
    const int64_t length = round % 3 == 0 ? 16 : round % 3 == 1 ? 1 : 5;
    const tegula_argument arguments[] = {pointerTo(address, types[(number + round) % 2]), integer(length),
                                         floating(number + 0.5)};
    OK(tegula_kernel_launch(kernel, device, grid, arguments, 3, NULL));
    tegula_variant *variant = NULL;
    OK(tegula_kernel_prepare(kernel, device, arguments, 3, &variant));
    if (round < 2) {
      const char *text = NULL;
      size_t bytes = 0;
      OK(tegula_variant_stage(variant, "tile", &text, &bytes));
      CHECK(bytes > 0);
    }
    tegula_variant_free(variant);
    OK(tegula_device_download(device, doubles, address, sizeof doubles));
    float first = 0;
    memcpy(&first, doubles, sizeof first);
    CHECK(((number + round) % 2 ? doubles[0] : (double)first) == number + 0.5);
  }
  tegula_argument missing = integer(1);
  tegula_error *error = tegula_kernel_launch(kernel, device, grid, &missing, 1, NULL);
  CHECK(error);
  tegula_error_free(error);
  OK(tegula_device_free(device, address));
  return NULL;
}

void testThreads(void) {
  device = emulator();
  kernel = kernelOf(fillSource, NULL);
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  for (int i = 0; i < THREADS; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}
