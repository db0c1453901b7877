/* Null for every pointer that has to be given, and nothing to free. */
#include "Check.h"

#define NEEDS(call, name) FAILS(call, TEGULA_INVALID_ARGUMENT, "expected `" name "`, found null")

static void testDevicesAndPrograms(tegula_device *device) {
  uint64_t address = 0;
  char bytes[4] = "";
  NEEDS(tegula_device_open("emulator", NULL), "device");
  NEEDS(tegula_device_allocate(NULL, 4, &address), "device");
  NEEDS(tegula_device_allocate(device, 4, NULL), "address");
  NEEDS(tegula_device_free(NULL, 256), "device");
  NEEDS(tegula_device_upload(NULL, 256, bytes, 4), "device");
  NEEDS(tegula_device_upload(device, 256, NULL, 4), "from");
  NEEDS(tegula_device_download(NULL, bytes, 256, 4), "device");
  NEEDS(tegula_device_download(device, NULL, 256, 4), "to");
  NEEDS(tegula_device_map_host(NULL, bytes, 4), "device");
  NEEDS(tegula_device_map_host(device, NULL, 4), "memory");
  NEEDS(tegula_device_unmap_host(NULL, bytes, 4), "device");
  NEEDS(tegula_device_unmap_host(device, NULL, 4), "memory");
  NEEDS(tegula_device_synchronize(NULL), "device");
  char *text = tegula_device_take_printed(NULL);
  CHECK_TEXT(text, "");
  tegula_text_free(text);
  tegula_program *program = NULL;
  NEEDS(tegula_program_load(NULL, &program), "path");
  NEEDS(tegula_program_load("x.py", NULL), "program");
  NEEDS(tegula_program_parse(NULL, "", 0, &program), "name");
  NEEDS(tegula_program_parse("x.py", NULL, 0, &program), "text");
  NEEDS(tegula_program_parse("x.py", "", 0, NULL), "program");
  CHECK(tegula_program_kernel_count(NULL) == 0);
  CHECK_TEXT(tegula_program_kernel_name(NULL, 0), "");
}

static void noGrid(void *context, const tegula_kernel *configured, uint32_t sides[3]) {
  (void)context, (void)configured, (void)sides;
}

void testMisuse(void) {
  tegula_device *device = emulator();
  testDevicesAndPrograms(device);
  tegula_program *program = NULL;
  OK(tegula_program_parse("fill.py", fillSource, strlen(fillSource), &program));
  tegula_kernel_options options = {.size = sizeof options};
  tegula_kernel *kernel = NULL;
  NEEDS(tegula_kernel_create(NULL, &options, &kernel), "program");
  NEEDS(tegula_kernel_create(program, NULL, &kernel), "options");
  NEEDS(tegula_kernel_create(program, &options, NULL), "kernel");
  options.constexpr_count = 1;
  NEEDS(tegula_kernel_create(program, &options, &kernel), "constexprs");
  options = (tegula_kernel_options){.size = 0};
  FAILS(tegula_kernel_create(program, &options, &kernel), TEGULA_INVALID_ARGUMENT,
        "expected `options->size` to be the size of the struct, found 0");
  options.size = sizeof options;
  OK(tegula_kernel_create(program, &options, &kernel));
  size_t count = 9;
  CHECK(!tegula_kernel_parameters(NULL, &count) && count == 0);

  const uint32_t grid[3] = {1, 1, 1};
  const tegula_argument arguments[3] = {pointerTo(256, TEGULA_FP32), integer(3), floating(1)};
  tegula_variant *variant = NULL;
  NEEDS(tegula_kernel_config_count(NULL, &count), "kernel");
  NEEDS(tegula_kernel_config_count(kernel, NULL), "count");
  NEEDS(tegula_kernel_with_config(NULL, 0, &kernel), "kernel");
  NEEDS(tegula_kernel_with_config(kernel, 0, NULL), "configured");
  CHECK(!tegula_kernel_constant(NULL, "x", NULL) && !tegula_kernel_constant(kernel, NULL, NULL));
  NEEDS(tegula_kernel_tune(NULL, device, noGrid, NULL, arguments, 3, &count), "kernel");
  NEEDS(tegula_kernel_tune(kernel, NULL, noGrid, NULL, arguments, 3, &count), "device");
  NEEDS(tegula_kernel_tune(kernel, device, NULL, NULL, arguments, 3, &count), "grid");
  NEEDS(tegula_kernel_tune(kernel, device, noGrid, NULL, arguments, 3, NULL), "config");
  FAILS(tegula_kernel_tune(kernel, device, noGrid, NULL, arguments, 3, &count), TEGULA_INVALID_ARGUMENT,
        "kernel `fill` has no configs, as no `triton.autotune` gives any");
  NEEDS(tegula_kernel_launch(NULL, device, grid, arguments, 3, NULL), "kernel");
  NEEDS(tegula_kernel_launch(kernel, NULL, grid, arguments, 3, NULL), "device");
  NEEDS(tegula_kernel_launch(kernel, device, NULL, arguments, 3, NULL), "grid");
  const void *ready = NULL;
  NEEDS(tegula_kernel_launch_ready(NULL, device, grid, arguments, 3, NULL, &ready), "kernel");
  NEEDS(tegula_kernel_launch_ready(kernel, NULL, grid, arguments, 3, NULL, &ready), "device");
  NEEDS(tegula_kernel_launch_ready(kernel, device, grid, NULL, 3, NULL, &ready), "arguments");
  NEEDS(tegula_kernel_launch_ready(kernel, device, grid, arguments, 3, NULL, NULL), "variant");
  NEEDS(tegula_kernel_prepare(NULL, device, arguments, 3, &variant), "kernel");
  NEEDS(tegula_kernel_prepare(kernel, NULL, arguments, 3, &variant), "device");
  NEEDS(tegula_kernel_prepare(kernel, device, NULL, 3, &variant), "arguments");
  NEEDS(tegula_kernel_prepare(kernel, device, arguments, 3, NULL), "variant");
  NEEDS(tegula_kernel_prepare_typed(NULL, device, NULL, 0, &variant), "kernel");
  NEEDS(tegula_kernel_prepare_typed(kernel, device, NULL, 3, &variant), "types");
  NEEDS(tegula_kernel_prepare_typed(kernel, device, NULL, 0, NULL), "variant");
  OK(tegula_kernel_prepare(kernel, device, arguments, 3, &variant));
  NEEDS(tegula_variant_launch(NULL, grid, arguments, 3, NULL), "variant");
  NEEDS(tegula_variant_launch(variant, NULL, arguments, 3, NULL), "grid");
  const char *text = NULL;
  size_t bytes = 0;
  NEEDS(tegula_variant_stage(NULL, "ptx", &text, &bytes), "variant");
  NEEDS(tegula_variant_stage(variant, NULL, &text, &bytes), "stage");
  NEEDS(tegula_variant_stage(variant, "ptx", NULL, &bytes), "text");
  NEEDS(tegula_variant_stage(variant, "ptx", &text, NULL), "bytes");
  char *code = NULL;
  NEEDS(tegula_assemble(NULL, 0, "sm_80", &code, &bytes), "ptx");
  NEEDS(tegula_assemble("", 0, NULL, &code, &bytes), "arch");
  NEEDS(tegula_assemble("", 0, "sm_80", NULL, &bytes), "code");
  NEEDS(tegula_assemble("", 0, "sm_80", &code, NULL), "bytes");
  tegula_variant_properties properties = {.size = sizeof properties};
  tegula_variant_get_properties(NULL, &properties);
  tegula_variant_get_properties(variant, NULL);
  CHECK(!properties.kernel);

  tegula_variant_free(variant);
  tegula_variant_free(NULL);
  tegula_kernel_free(kernel);
  tegula_kernel_free(NULL);
  tegula_program_free(program);
  tegula_device_close(device);
}
