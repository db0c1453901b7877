#include "Check.h"

static void testProperties(void) {
  tegula_device *device = emulator();
  tegula_device_properties properties = {.size = sizeof properties};
  tegula_device_get_properties(device, &properties);
  CHECK(properties.size == sizeof properties);
  CHECK_TEXT(properties.name, "emulator");
  CHECK_TEXT(properties.kind, "emulator");
  CHECK_TEXT(properties.arch, "sm_90a");
  CHECK_TEXT(properties.driver, "");
  CHECK(properties.ordinal == -1);
  CHECK(properties.compute_major == 0 && properties.compute_minor == 0);
  CHECK(properties.multiprocessors == 132);
  CHECK(properties.warp_size == 32 && properties.max_threads_per_block == 1024);
  CHECK(properties.max_shared_per_block == 227 * 1024);
  CHECK(properties.registers_per_multiprocessor == 65536);
  CHECK(properties.max_grid[0] == 2147483647u && properties.max_grid[2] == 65535u);
  CHECK(properties.total_memory == (uint64_t)16 << 30 && properties.l2_bytes == 0);

  /* A caller of an earlier version, whose struct ended behind `kind`. */
  memset(&properties, 0, sizeof properties);
  properties.size = offsetof(tegula_device_properties, arch);
  tegula_device_get_properties(device, &properties);
  CHECK_TEXT(properties.kind, "emulator");
  CHECK(properties.arch == NULL && properties.warp_size == 0);
  tegula_device_get_properties(device, NULL);
  tegula_device_get_properties(NULL, &properties);
  tegula_device_close(device);

  OK(tegula_device_open("interpret", &device));
  properties.size = sizeof properties;
  tegula_device_get_properties(device, &properties);
  CHECK_TEXT(properties.kind, "interpret");
  tegula_device_close(device);
}

static void testMemory(void) {
  tegula_device *device = emulator();
  uint64_t address = 0;
  OK(tegula_device_allocate(device, 8, &address));
  CHECK(address && address % 256 == 0);
  const char sent[8] = "tegula!";
  char received[8] = "";
  OK(tegula_device_upload(device, address, sent, sizeof sent));
  OK(tegula_device_download(device, received, address, sizeof received));
  CHECK_TEXT(received, "tegula!");
  OK(tegula_device_upload(device, 0, NULL, 0));
  OK(tegula_device_download(device, NULL, 0, 0));
  OK(tegula_device_synchronize(device));
  tegula_error *error = tegula_device_upload(device, address + 1, sent, sizeof sent);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT);
  CHECK(strstr(tegula_error_text(error), "not inside an allocation"));
  tegula_error_free(error);
  OK(tegula_device_free(device, address));
  error = tegula_device_free(device, address);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT);
  tegula_error_free(error);
  OK(tegula_device_free(device, 0));
  error = tegula_device_allocate(device, SIZE_MAX / 2, &address);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_OUT_OF_RESOURCES);
  tegula_error_free(error);
  tegula_device_close(device);
}

static void testPrinting(const char *kind) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def say(n):\n"
                       "    tl.device_print(\"n\", n)\n";
  tegula_device *device = NULL;
  OK(tegula_device_open(kind, &device));
  tegula_kernel_options options = {.size = sizeof options, .num_warps = 1};
  tegula_kernel *kernel = kernelOf(source, &options);
  const tegula_argument argument = integer(42);
  const uint32_t grid[3] = {1, 1, 1};
  OK(tegula_kernel_launch(kernel, device, grid, &argument, 1, NULL));
  char *text = tegula_device_take_printed(device);
  CHECK(text && strstr(text, "42"));
  tegula_text_free(text);
  text = tegula_device_take_printed(device);
  CHECK_TEXT(text, "");
  tegula_text_free(text);
  tegula_text_free(NULL);
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

void testDevices(void) {
  size_t architectures = 0;
  const tegula_architecture *architecture = tegula_architectures(&architectures);
  CHECK(architectures > 0);
  CHECK_TEXT(architecture[0].name, "sm_75");
  CHECK(architecture[0].compute_major == 7 && architecture[0].compute_minor == 5);
  char header[32];
  snprintf(header, sizeof header, "%d.%d.%d", TEGULA_VERSION_MAJOR, TEGULA_VERSION_MINOR, TEGULA_VERSION_PATCH);
  CHECK_TEXT(tegula_version(), header);
  CHECK(strlen(tegula_build_id()) > 0);
  size_t versions = 0;
  const tegula_triton_version *version = tegula_triton_versions(&versions);
  CHECK(versions >= 4);
  CHECK_TEXT(version[0].name, "3.6");
  CHECK_TEXT(version[2].full, "3.8.0");
  testProperties();
  testMemory();
  testPrinting("emulator");
  testPrinting("interpret");
  tegula_device *device = NULL;
  FAILS(tegula_device_open("abacus", &device), TEGULA_INVALID_ARGUMENT,
        "expected the device `auto`, `cuda`, `cuda:N`, `emulator`, `emulator:N` or `interpret`, found `abacus`");
  CHECK(!device);
  tegula_device_close(NULL);
}
