/* Kernels on the emulator and the interpreter work on the host's memory where it lies. */
#include "Check.h"

/* Memory that is only to be read stays as it is. */
static void readWhereItLies(const char *kind) {
  tegula_device *device = NULL;
  OK(tegula_device_open(kind, &device));
  tegula_kernel *kernel = kernelOf(fillSource, NULL);
  float values[64] = {0};
  const uint32_t grid[3] = {1, 1, 1};
  const tegula_argument arguments[] = {pointerTo((uint64_t)(uintptr_t)values, TEGULA_FP32), integer(64), floating(1)};
  OK(tegula_device_map_host_to_read(device, values, sizeof values));
  tegula_error *error = tegula_kernel_launch(kernel, device, grid, arguments, 3, NULL);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_FAULT);
  CHECK(error && strstr(tegula_error_text(error), "the host's memory is read-only there"));
  tegula_error_free(error);
  CHECK(values[0] == 0 && values[63] == 0);
  OK(tegula_device_unmap_host(device, values, sizeof values));
  OK(tegula_device_map_host(device, values, sizeof values));
  OK(tegula_kernel_launch(kernel, device, grid, arguments, 3, NULL));
  CHECK(values[63] == 1);
  OK(tegula_device_unmap_host(device, values, sizeof values));
  FAILS(tegula_device_map_host_to_read(device, NULL, 4), TEGULA_INVALID_ARGUMENT, "expected `memory`, found null");
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

static void fillWhereItLies(const char *kind) {
  tegula_device *device = NULL;
  OK(tegula_device_open(kind, &device));
  tegula_kernel *kernel = kernelOf(fillSource, NULL);
  float values[64] = {0};
  const uint64_t address = (uint64_t)(uintptr_t)values;
  const uint32_t grid[3] = {1, 1, 1};
  const tegula_argument first[] = {pointerTo(address, TEGULA_FP32), integer(32), floating(1)};
  const tegula_argument second[] = {pointerTo(address, TEGULA_FP32), integer(33), floating(2)};
  const tegula_argument all[] = {pointerTo(address, TEGULA_FP32), integer(64), floating(3)};

  /* Bounds hold: of what is not mapped nothing is written. */
  OK(tegula_device_map_host(device, values, 32 * sizeof *values));
  OK(tegula_kernel_launch(kernel, device, grid, first, 3, NULL));
  CHECK(values[0] == 1 && values[31] == 1 && values[32] == 0);
  tegula_error *error = tegula_kernel_launch(kernel, device, grid, second, 3, NULL);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_FAULT);
  CHECK(strstr(tegula_error_text(error), "outside any "));
  tegula_error_free(error);
  CHECK(values[32] == 0);

  /* Ranges that touch stay apart, those that overlap are one, and each ends once. */
  OK(tegula_device_map_host(device, values + 32, 32 * sizeof *values));
  OK(tegula_kernel_launch(kernel, device, grid, all, 3, NULL));
  CHECK(values[0] == 3 && values[63] == 3);
  OK(tegula_device_map_host(device, values + 16, 32 * sizeof *values));
  OK(tegula_device_map_host(device, values, 32 * sizeof *values));
  OK(tegula_device_unmap_host(device, values, 32 * sizeof *values));
  OK(tegula_kernel_launch(kernel, device, grid, first, 3, NULL));
  CHECK(values[0] == 1 && values[32] == 3);
  OK(tegula_device_unmap_host(device, values, 32 * sizeof *values));
  error = tegula_kernel_launch(kernel, device, grid, first, 3, NULL);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_FAULT);
  tegula_error_free(error);
  error = tegula_device_unmap_host(device, values, 32 * sizeof *values);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT);
  CHECK(strstr(tegula_error_text(error), "are not mapped"));
  tegula_error_free(error);

  /* Copies go there as to the device's own memory, which is not to be freed. */
  const float sent = 7;
  float received = 0;
  OK(tegula_device_upload(device, address + 40 * sizeof *values, &sent, sizeof sent));
  CHECK(values[40] == 7);
  OK(tegula_device_download(device, &received, address + 40 * sizeof *values, sizeof received));
  CHECK(received == 7);
  error = tegula_device_free(device, address + 16 * sizeof *values);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT);
  tegula_error_free(error);

  error = tegula_device_map_host(device, values, 0);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT);
  tegula_error_free(error);
  error = tegula_device_map_host(device, values, SIZE_MAX);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT);
  tegula_error_free(error);
  OK(tegula_device_unmap_host(device, values + 16, 32 * sizeof *values));
  OK(tegula_device_unmap_host(device, values + 32, 32 * sizeof *values));
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

/* What lies where the device's own memory is cannot be mapped, and what was mapped before stays so. */
static void refuseWhatIsTaken(const char *kind) {
  tegula_device *device = NULL;
  OK(tegula_device_open(kind, &device));
  uint64_t address = 0;
  float value = 4, found = 0;
  OK(tegula_device_allocate(device, 64, &address));
  OK(tegula_device_map_host(device, &value, sizeof value));
  tegula_error *error = tegula_device_map_host(device, (void *)(uintptr_t)(address + 32), 64);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT);
  CHECK(strstr(tegula_error_text(error), "the device has memory there"));
  tegula_error_free(error);
  OK(tegula_device_upload(device, address, &value, sizeof value));
  OK(tegula_device_download(device, &found, (uint64_t)(uintptr_t)&value, sizeof found));
  CHECK(found == 4);
  OK(tegula_device_unmap_host(device, &value, sizeof value));
  OK(tegula_device_free(device, address));
  tegula_device_close(device);
}

void testHostMemory(void) {
  fillWhereItLies("emulator");
  readWhereItLies("emulator");
  fillWhereItLies("interpret");
  readWhereItLies("interpret");
  refuseWhatIsTaken("emulator");
  refuseWhatIsTaken("interpret");
}
