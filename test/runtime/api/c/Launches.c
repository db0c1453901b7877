#include "Check.h"

#define COUNT 200

static void fillAll(const char *kind) {
  tegula_device *device = NULL;
  OK(tegula_device_open(kind, &device));
  tegula_kernel *kernel = kernelOf(fillSource, NULL);
  uint64_t address = 0;
  float found[COUNT] = {0};
  OK(tegula_device_allocate(device, sizeof found, &address));
  OK(tegula_device_upload(device, address, found, sizeof found));
  const tegula_argument arguments[] = {pointerTo(address, TEGULA_FP32), integer(COUNT), floating(2.5),
                                       {.kind = TEGULA_ARG_DEFAULT, .type = TEGULA_UNTYPED}};
  const uint32_t grid[3] = {2, 1, 1};
  OK(tegula_kernel_launch(kernel, device, grid, arguments, 4, NULL));
  OK(tegula_device_synchronize(device));
  OK(tegula_device_download(device, found, address, sizeof found));
  for (size_t i = 0; i < COUNT; ++i)
    CHECK(found[i] == 2.5f);

  /* Default arguments may be left out, an empty grid launches nothing, and the value is read anew. */
  const tegula_argument other[] = {pointerTo(address, TEGULA_FP32), integer(3), floating(-1)};
  const uint32_t empty[3] = {2, 0, 1};
  OK(tegula_kernel_launch(kernel, device, empty, other, 3, NULL));
  OK(tegula_device_download(device, found, address, sizeof found));
  CHECK(found[0] == 2.5f);
  OK(tegula_kernel_launch(kernel, device, grid, other, 3, NULL));
  OK(tegula_device_download(device, found, address, sizeof found));
  CHECK(found[2] == -1.0f && found[3] == 2.5f);
  OK(tegula_device_free(device, address));
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

/* Only what is compiled is launched, and each variant has an address of its own. */
static void testReady(void) {
  tegula_device *device = emulator();
  tegula_kernel *kernel = kernelOf(fillSource, NULL);
  uint64_t address = 0;
  float found[16] = {0};
  OK(tegula_device_allocate(device, sizeof found, &address));
  OK(tegula_device_upload(device, address, found, sizeof found));
  const tegula_argument arguments[] = {pointerTo(address, TEGULA_FP32), integer(16), floating(2.5)};
  const tegula_argument others[] = {pointerTo(address, TEGULA_FP32), integer(3), floating(2.5)};
  const uint32_t grid[3] = {1, 1, 1};
  const void *variant = device, *again = NULL, *other = NULL;
  OK(tegula_kernel_launch_ready(kernel, device, grid, arguments, 3, NULL, &variant));
  CHECK(!variant);
  tegula_variant *prepared = NULL;
  OK(tegula_kernel_prepare(kernel, device, arguments, 3, &prepared));
  OK(tegula_kernel_launch_ready(kernel, device, NULL, arguments, 3, NULL, &variant));
  OK(tegula_device_download(device, found, address, sizeof found));
  CHECK(variant && found[15] == 0);
  OK(tegula_kernel_launch_ready(kernel, device, grid, arguments, 3, NULL, &again));
  OK(tegula_device_download(device, found, address, sizeof found));
  CHECK(again == variant && found[15] == 2.5f);
  OK(tegula_kernel_launch(kernel, device, grid, others, 3, NULL));
  OK(tegula_kernel_launch_ready(kernel, device, grid, others, 3, NULL, &other));
  CHECK(other && other != variant);
  OK(tegula_kernel_launch_ready(kernel, device, grid, others, 1, NULL, &other));
  CHECK(!other);
  tegula_variant_free(prepared);
  OK(tegula_device_free(device, address));
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

/* Only what is compiled already is launched, and each variant has an address of its own. */
static void testReadyVariants(void) {
  tegula_device *device = emulator();
  tegula_kernel *kernel = kernelOf(fillSource, NULL);
  float values[32] = {0};
  OK(tegula_device_map_host(device, values, sizeof values));
  const tegula_argument all[] = {pointerTo((uint64_t)(uintptr_t)values, TEGULA_FP32), integer(32), floating(1)};
  const tegula_argument one[] = {all[0], integer(1), floating(2)};
  const uint32_t grid[3] = {1, 1, 1};
  const void *first = &grid, *again = NULL, *second = NULL;
  OK(tegula_kernel_launch_ready(kernel, device, grid, all, 3, NULL, &first));
  CHECK(!first && values[0] == 0);
  OK(tegula_kernel_launch(kernel, device, grid, all, 3, NULL));
  OK(tegula_kernel_launch(kernel, device, grid, one, 3, NULL));
  CHECK(values[0] == 2 && values[31] == 1);
  OK(tegula_kernel_launch_ready(kernel, device, grid, all, 3, NULL, &first));
  CHECK(first && values[0] == 1);
  OK(tegula_kernel_launch_ready(kernel, device, NULL, one, 3, NULL, &second));
  OK(tegula_kernel_launch_ready(kernel, device, NULL, all, 3, NULL, &again));
  CHECK(second && first != second && first == again && values[0] == 1);
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

/* The items of a tuple are the arguments behind it. */
static void testTuples(void) {
  tegula_device *device = emulator();
  tegula_kernel *kernel = kernelOf("import triton\nimport triton.language as tl\n@triton.jit\ndef fill(t, n):\n"
                                   "    tl.store(t[0] + tl.arange(0, 16), t[1][0], mask=tl.arange(0, 16) < n)\n",
                                   NULL);
  float values[16] = {0};
  OK(tegula_device_map_host(device, values, sizeof values));
  const tegula_argument pair = {.kind = TEGULA_ARG_TUPLE, .type = TEGULA_UNTYPED, .of.integer = 2};
  const tegula_argument one = {.kind = TEGULA_ARG_TUPLE, .type = TEGULA_UNTYPED, .of.integer = 1};
  const tegula_argument all[] = {pair, pointerTo((uint64_t)(uintptr_t)values, TEGULA_FP32), one, floating(3),
                                 integer(8)};
  const uint32_t grid[3] = {1, 1, 1};
  OK(tegula_kernel_launch(kernel, device, grid, all, 5, NULL));
  CHECK(values[7] == 3 && values[8] == 0);
  FAILS(tegula_kernel_launch(kernel, device, grid, all, 3, NULL), TEGULA_INVALID_ARGUMENT,
        "expected 1 items of the tuple `t[1]`, found 0");
  FAILS(tegula_kernel_launch(kernel, device, grid, all, 1, NULL), TEGULA_INVALID_ARGUMENT,
        "expected 2 items of the tuple `t`, found 0");
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

static void testRefusals(void) {
  tegula_device *device = emulator();
  tegula_kernel *kernel = kernelOf(fillSource, NULL);
  const uint32_t grid[3] = {1, 1, 1};
  tegula_argument arguments[5] = {pointerTo(4096, TEGULA_FP32), integer(3), floating(1), integer(128), integer(0)};
  FAILS(tegula_kernel_launch(kernel, device, grid, arguments, 5, NULL), TEGULA_INVALID_ARGUMENT,
        "expected at most 4 arguments for `fill`, found 5");
  FAILS(tegula_kernel_launch(kernel, device, grid, arguments, 2, NULL), TEGULA_INVALID_ARGUMENT,
        "kernel `fill` has no value for parameter `value`");
  FAILS(tegula_kernel_launch(kernel, device, grid, NULL, 3, NULL), TEGULA_INVALID_ARGUMENT,
        "expected `arguments`, found null");
  FAILS(tegula_kernel_launch(kernel, device, grid, arguments, (size_t)-1, NULL), TEGULA_INVALID_ARGUMENT,
        "expected at most 512 arguments, found 18446744073709551615");
  arguments[1].kind = 77;
  FAILS(tegula_kernel_launch(kernel, device, grid, arguments, 3, NULL), TEGULA_INVALID_ARGUMENT,
        "argument 1 is of no kind that there is, 77");
  arguments[1] = integer(3);
  arguments[2].type = 78;
  FAILS(tegula_kernel_launch(kernel, device, grid, arguments, 3, NULL), TEGULA_INVALID_ARGUMENT,
        "argument 2 is of no type that there is, 78");
  arguments[2] = floating(1);
  /* Nothing of the device's lies at that address. */
  tegula_error *error = tegula_kernel_launch(kernel, device, grid, arguments, 3, NULL);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_FAULT);
  CHECK(strstr(tegula_error_text(error), "test.py:8"));
  tegula_error_free(error);
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

void testLaunches(void) {
  fillAll("emulator");
  fillAll("interpret");
  testReady();
  testReadyVariants();
  testTuples();
  testRefusals();
}
