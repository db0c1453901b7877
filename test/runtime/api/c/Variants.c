#include "Check.h"

static int beginsWith(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static void testStages(tegula_variant *variant) {
  const char *names[] = {"ast", "tile", "distributed", "scheduled", "llvm", "llvmir", "ptx"};
  const char *inside[] = {"fill", "tile.store", "#tile.layout", "tile.store", "llvm.func", "define", ".entry fill("};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *text = NULL, *again = NULL;
    size_t bytes = 0;
    OK(tegula_variant_stage(variant, names[i], &text, &bytes));
    CHECK(strlen(text) == bytes && strstr(text, inside[i]));
    OK(tegula_variant_stage(variant, names[i], &again, &bytes));
    CHECK(text == again);
  }
  const char *text = NULL;
  size_t bytes = 0;
  tegula_error *error = tegula_variant_stage(variant, "ptx2", &text, &bytes);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT && !text);
  tegula_error_free(error);
}

/* Compiled for a machine that is not there. */
static void testWithoutDevice(void) {
  tegula_kernel_options options = {.size = sizeof options, .num_warps = 2, .num_stages = 1, .arch = "sm_80"};
  tegula_kernel *kernel = kernelOf(fillSource, &options);
  const char *types[] = {"*fp32:16", "i32:16+", "fp32"};
  tegula_variant *variant = NULL;
  OK(tegula_kernel_prepare_typed(kernel, NULL, types, 3, &variant));
  tegula_kernel_free(kernel);
  tegula_variant_properties properties = {.size = sizeof properties};
  tegula_variant_get_properties(variant, &properties);
  CHECK_TEXT(properties.kernel, "fill");
  CHECK_TEXT(properties.entry, "fill");
  CHECK_TEXT(properties.arch, "sm_80");
  CHECK(properties.num_warps == 2 && properties.num_stages == 1 && properties.shared_bytes == 0);
  CHECK(properties.registers == 0 && properties.spill_bytes == 0 && !properties.function && !properties.module);
  CHECK(properties.programs_per_block == 1 && properties.implicit_arguments == 0);
  CHECK(properties.threads == 64 && properties.blocks_per_multiprocessor == 0);
  testStages(variant);
  const tegula_argument arguments[] = {pointerTo(4096, TEGULA_FP32), integer(16), floating(1)};
  const uint32_t grid[3] = {1, 1, 1};
  FAILS(tegula_variant_launch(variant, grid, arguments, 3, NULL), TEGULA_INVALID_ARGUMENT,
        "cannot launch `fill`: it was compiled without a device");
  tegula_variant_free(variant);
}

/* A variant with a name of its own in the code. */
static void testEntryName(void) {
  tegula_kernel *kernel = kernelOf(fillSource, NULL);
  tegula_device *device = emulator();
  const tegula_argument arguments[] = {pointerTo(4096, TEGULA_FP32), integer(16), floating(1)};
  tegula_variant *variant = NULL;
  OK(tegula_kernel_prepare_as(kernel, device, arguments, 3, "fill_fp32", &variant));
  tegula_variant_properties properties = {.size = sizeof properties};
  tegula_variant_get_properties(variant, &properties);
  CHECK_TEXT(properties.kernel, "fill");
  CHECK_TEXT(properties.entry, "fill_fp32");
  const char *text = NULL;
  size_t bytes = 0;
  OK(tegula_variant_stage(variant, "ptx", &text, &bytes));
  CHECK(strstr(text, ".entry fill_fp32("));
  OK(tegula_variant_stage(variant, "llvm", &text, &bytes));
  CHECK(strstr(text, "@fill_fp32("));
  tegula_variant_free(variant);
  const char *types[] = {"*fp64", "i32", "fp32"};
  OK(tegula_kernel_prepare_typed_as(kernel, NULL, types, 3, "2 fills", &variant));
  tegula_variant_get_properties(variant, &properties);
  CHECK_TEXT(properties.entry, "$32$20fills");
  tegula_variant_free(variant);
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

/* What one process has compiled another may load: here the emulator, which needs no machine code. */
static void testLoading(void) {
  tegula_kernel *kernel = kernelOf(fillSource, NULL);
  const char *types[] = {"*fp32", "i32", "fp32"};
  tegula_variant *compiled = NULL, *variant = NULL;
  OK(tegula_kernel_prepare_typed(kernel, NULL, types, 3, &compiled));
  const char *ptx = NULL, *text = NULL;
  size_t bytes = 0, again = 0;
  OK(tegula_variant_stage(compiled, "ptx", &ptx, &bytes));
  tegula_device *device = emulator();
  OK(tegula_variant_load(device, ptx, bytes, NULL, 0, &variant));
  tegula_variant_properties properties = {.size = sizeof properties};
  tegula_variant_get_properties(variant, &properties);
  CHECK_TEXT(properties.kernel, "fill");
  CHECK_TEXT(properties.entry, "fill");
  CHECK(properties.num_warps == 4);
  OK(tegula_variant_stage(variant, "ptx", &text, &again));
  CHECK_TEXT(text, ptx);
  FAILS(tegula_variant_stage(variant, "tile", &text, &again), TEGULA_UNAVAILABLE,
        "a kernel loaded from PTX has no stage `tile`");
  float value[4] = {0};
  OK(tegula_device_map_host(device, value, sizeof value));
  const tegula_argument arguments[] = {pointerTo((uint64_t)(uintptr_t)value, TEGULA_FP32), integer(3), floating(2)};
  const uint32_t grid[3] = {1, 1, 1};
  OK(tegula_variant_launch(variant, grid, arguments, 3, NULL));
  CHECK(value[2] == 2.0f && value[3] == 0.0f);
  FAILS(tegula_variant_launch(variant, grid, arguments, 2, NULL), TEGULA_INVALID_ARGUMENT,
        "expected 3 arguments for `fill`, found 2");
  tegula_variant_free(variant);
  tegula_error *error = tegula_variant_load(device, "ret;", 4, NULL, 0, &variant);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT);
  tegula_error_free(error);
  tegula_device_close(device);
  OK(tegula_device_open("interpret", &device));
  FAILS(tegula_variant_load(device, ptx, bytes, NULL, 0, &variant), TEGULA_INVALID_ARGUMENT,
        "the interpreter runs kernels from their source, found PTX");
  tegula_device_close(device);
  tegula_variant_free(compiled);
  tegula_kernel_free(kernel);
}

/* Types that come from arguments ask for the variant of a launch with these arguments. */
static void testTypesOfArguments(void) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def maybe(x_ptr, n, bias, rows, scale, last = 5):\n"
                       "    tl.store(x_ptr, n + rows + last)\n";
  tegula_kernel *kernel = kernelOf(source, NULL);
  tegula_device *device = emulator();
  const tegula_argument none = {.kind = TEGULA_ARG_NONE}, fallback = {.kind = TEGULA_ARG_DEFAULT};
  const tegula_argument arguments[] = {pointerTo(4096, TEGULA_I32), integer(48), none, integer(1), floating(2), fallback, none};
  char *types = NULL;
  OK(tegula_kernel_types(kernel, arguments, 6, &types));
  CHECK_TEXT(types, "*i32:16\ni32:16+\nnone\ni32=1\nfp32\n\n");
  tegula_text_free(types);
  const char *list[] = {"*i32:16", "i32:16+", "none", "i32=1", "fp32"};
  tegula_variant *typed = NULL;
  OK(tegula_kernel_prepare_typed(kernel, device, list, 5, &typed));
  const void *ready = NULL;
  OK(tegula_kernel_launch_ready(kernel, device, NULL, arguments, 5, NULL, &ready));
  CHECK(ready != NULL);
  FAILS(tegula_kernel_types(kernel, arguments, 7, &types), TEGULA_INVALID_ARGUMENT,
        "expected at most 6 arguments for `maybe`, found 7");
  FAILS(tegula_kernel_types(kernel, arguments, 1, NULL), TEGULA_INVALID_ARGUMENT, "expected `types`, found null");
  const uint32_t grid[3] = {7, 1, 1};
  double cycles = 0;
  char *terms = NULL;
  OK(tegula_kernel_estimate(kernel, device, grid, arguments, 5, &cycles, &terms));
  CHECK(cycles > 0 && strstr(terms, "\"programs\":7") != NULL);
  tegula_text_free(terms);
  OK(tegula_kernel_estimate(kernel, device, grid, arguments, 5, &cycles, NULL));
  FAILS(tegula_kernel_estimate(kernel, device, grid, arguments, 5, NULL, NULL), TEGULA_INVALID_ARGUMENT,
        "expected `cycles`, found null");
  tegula_variant_free(typed);
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

/* A variant asked for by types is the one that a launch with such arguments uses. */
static void testTypedAndLaunched(const char *kind) {
  tegula_device *device = NULL;
  OK(tegula_device_open(kind, &device));
  tegula_kernel *kernel = kernelOf(fillSource, NULL);
  uint64_t address = 0;
  float found[64] = {0};
  OK(tegula_device_allocate(device, sizeof found, &address));
  OK(tegula_device_upload(device, address, found, sizeof found));
  const char *types[] = {"*fp32:16", "i32:16+", "fp32"};
  const tegula_argument arguments[] = {pointerTo(address, TEGULA_FP32), integer(64), floating(4)};
  tegula_variant *typed = NULL, *launched = NULL;
  OK(tegula_kernel_prepare_typed(kernel, device, types, 3, &typed));
  OK(tegula_kernel_prepare(kernel, device, arguments, 3, &launched));
  const char *first = NULL, *second = NULL;
  size_t bytes = 0;
  OK(tegula_variant_stage(typed, "ptx", &first, &bytes));
  OK(tegula_variant_stage(launched, "ptx", &second, &bytes));
  CHECK_TEXT(first, second);
  CHECK(beginsWith(first, "// Tegula kernel"));
  const uint32_t grid[3] = {1, 1, 1}, empty[3] = {0, 1, 1};
  OK(tegula_variant_launch(typed, empty, arguments, 3, NULL));
  OK(tegula_variant_launch(typed, grid, arguments, 3, NULL));
  OK(tegula_device_download(device, found, address, sizeof found));
  CHECK(found[0] == 4.0f && found[63] == 4.0f);
  FAILS(tegula_variant_launch(typed, grid, arguments, 2, NULL), TEGULA_INVALID_ARGUMENT,
        "expected 3 arguments for `fill`, found 2");
  tegula_variant_free(typed);
  tegula_variant_free(launched);
  OK(tegula_device_free(device, address));
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

/* Checks what a signature can say and no launch does, and what both can. */
static void testTypes(void) {
  tegula_kernel *kernel = kernelOf(fillSource, NULL);
  tegula_variant *variant = NULL;
  const char *bound[] = {"*fp32:1024", "i32=1", "fp32"};
  OK(tegula_kernel_prepare_typed(kernel, NULL, bound, 3, &variant));
  const char *text = NULL;
  size_t bytes = 0;
  OK(tegula_variant_stage(variant, "ptx", &text, &bytes));
  CHECK(strstr(text, "*fp32:1024 x_ptr") && !strstr(text, "i32 n"));
  tegula_variant_free(variant);
  variant = NULL;
  const char *unknown[] = {"*fp31", "i32", "fp32"};
  tegula_error *error = tegula_kernel_prepare_typed(kernel, NULL, unknown, 3, &variant);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT && !variant);
  CHECK(beginsWith(tegula_error_text(error), "the type of parameter `x_ptr`: unknown type `fp31`"));
  tegula_error_free(error);
  const char *running[] = {"*fp32", "i32", "fp32", "i32"};
  FAILS(tegula_kernel_prepare_typed(kernel, NULL, running, 4, &variant), TEGULA_INVALID_ARGUMENT,
        "parameter `BLOCK` is a `tl.constexpr`, found the type `i32`");
  FAILS(tegula_kernel_prepare_typed(kernel, NULL, running, 1, &variant), TEGULA_INVALID_ARGUMENT,
        "kernel `fill` has no value for parameter `n`");
  const char *missing[] = {"*fp32", NULL, "fp32"};
  FAILS(tegula_kernel_prepare_typed(kernel, NULL, missing, 3, &variant), TEGULA_INVALID_ARGUMENT,
        "expected type 1, found null");
  tegula_kernel_free(kernel);
}

void testVariants(void) {
  testWithoutDevice();
  testEntryName();
  testLoading();
  testTypesOfArguments();
  testTypedAndLaunched("emulator");
  testTypedAndLaunched("interpret");
  testTypes();
}
