#include "Check.h"

static void testParameters(void) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit(do_not_specialize=[\"n\"], do_not_specialize_on_alignment=[\"x_ptr\"])\n"
                       "def kernel(x_ptr, n, m: tl.int64, scale=2.0, BLOCK: tl.constexpr = 16):\n"
                       "    tl.store(x_ptr, n + m + scale)\n";
  const tegula_named_value block = {"BLOCK", {.kind = TEGULA_VALUE_INT, .of.integer = 32}};
  tegula_kernel_options options = {.size = sizeof options, .constexprs = &block, .constexpr_count = 1};
  tegula_kernel *kernel = kernelOf(source, &options);
  size_t count = 0;
  const tegula_parameter *parameters = tegula_kernel_parameters(kernel, &count);
  CHECK(count == 4);
  CHECK_TEXT(parameters[0].name, "x_ptr");
  CHECK_TEXT(parameters[0].type, "");
  CHECK(parameters[0].do_not_specialize_on_alignment && !parameters[0].do_not_specialize);
  CHECK_TEXT(parameters[1].name, "n");
  CHECK(parameters[1].do_not_specialize && !parameters[1].has_default);
  CHECK_TEXT(parameters[2].type, "i64");
  CHECK_TEXT(parameters[3].name, "scale");
  CHECK(parameters[3].has_default);
  tegula_kernel_free(kernel);
}

static void testOptions(void) {
  tegula_program *program = NULL;
  tegula_kernel *kernel = NULL;
  OK(tegula_program_parse("fill.py", fillSource, strlen(fillSource), &program));
  tegula_kernel_options options = {.size = sizeof options, .num_warps = 3};
  FAILS(tegula_kernel_create(program, &options, &kernel), TEGULA_INVALID_ARGUMENT,
        "expected a power of two from 1 to 32 warps, found 3");
  options.num_warps = 0;
  options.num_stages = 1000;
  FAILS(tegula_kernel_create(program, &options, &kernel), TEGULA_INVALID_ARGUMENT,
        "expected 1 to 32 stages, found 1000");
  options.num_stages = 0;
  const tegula_named_value unknown = {"BLOCKS", {.kind = TEGULA_VALUE_INT, .of.integer = 32}};
  options.constexprs = &unknown;
  options.constexpr_count = 1;
  FAILS(tegula_kernel_create(program, &options, &kernel), TEGULA_INVALID_ARGUMENT,
        "kernel `fill` has no parameter `BLOCKS`");
  const tegula_named_value unnamed = {NULL, {.kind = TEGULA_VALUE_NONE}};
  options.constexprs = &unnamed;
  FAILS(tegula_kernel_create(program, &options, &kernel), TEGULA_INVALID_ARGUMENT,
        "expected a name of constexpr 0, found null");
  CHECK(!kernel);

  /* A caller of an earlier version, whose struct ended behind `num_warps`. */
  memset(&options, 0xff, sizeof options);
  memset(&options, 0, offsetof(tegula_kernel_options, num_stages));
  options.size = offsetof(tegula_kernel_options, num_stages);
  options.num_warps = 2;
  OK(tegula_kernel_create(program, &options, &kernel));
  const char *types[] = {"*fp32", "i32", "fp32"};
  tegula_variant *variant = NULL;
  OK(tegula_kernel_prepare_typed(kernel, NULL, types, 3, &variant));
  tegula_variant_properties properties = {.size = sizeof properties};
  tegula_variant_get_properties(variant, &properties);
  CHECK(properties.num_warps == 2 && properties.num_stages == 3);
  tegula_variant_free(variant);
  tegula_kernel_free(kernel);
  tegula_program_free(program);
}

/* The PTX of a kernel, which is freed. */
static char *ptxOf(tegula_kernel *kernel, const char *const *types, size_t count) {
  tegula_variant *variant = NULL;
  const char *text = NULL;
  size_t bytes = 0;
  OK(tegula_kernel_prepare_typed(kernel, NULL, types, count, &variant));
  OK(tegula_variant_stage(variant, "ptx", &text, &bytes));
  char *copy = malloc(bytes + 1);
  memcpy(copy, text, bytes + 1);
  tegula_variant_free(variant);
  tegula_kernel_free(kernel);
  return copy;
}

/* The PTX of a product and a sum. */
static char *ptxWith(tegula_kernel_options options) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def madd(x_ptr, a, b, c):\n"
                       "    tl.store(x_ptr, a * b + c)\n";
  options.size = sizeof options;
  const char *types[] = {"*fp32:16", "fp32", "fp32", "fp32"};
  return ptxOf(kernelOf(source, &options), types, 4);
}

static void testPrecisionOfProducts(void) {
  static const char source[] = "import triton\n"
                               "import triton.language as tl\n"
                               "@triton.jit\n"
                               "def square(x_ptr):\n"
                               "    i = tl.arange(0, 16)\n"
                               "    at = x_ptr + i[:, None] * 16 + i[None, :]\n"
                               "    tl.store(at, tl.dot(tl.load(at), tl.load(at)))\n";
  const char *types[] = {"*fp32:16"};
  tegula_kernel_options options = {.size = sizeof options};
  char *text = ptxOf(kernelOf(source, &options), types, 1);
  CHECK(strstr(text, "tf32"));
  free(text);
  options.dot_precision = "ieee";
  text = ptxOf(kernelOf(source, &options), types, 1);
  CHECK(!strstr(text, "tf32"));
  free(text);
}

static void testLibraries(void) {
  tegula_program *program = NULL;
  tegula_kernel *kernel = NULL;
  OK(tegula_program_parse("fill.py", fillSource, strlen(fillSource), &program));
  tegula_kernel_options options = {.size = sizeof options, .extern_lib_count = 1};
  FAILS(tegula_kernel_create(program, &options, &kernel), TEGULA_INVALID_ARGUMENT, "expected `extern_libs`, found null");
  tegula_extern_library library = {.name = "mine"};
  options.extern_libs = &library;
  FAILS(tegula_kernel_create(program, &options, &kernel), TEGULA_INVALID_ARGUMENT,
        "expected a name and a path of each library of `extern_libs`, found `mine` and ``");
  /* A kernel that calls no function of a library needs no file. */
  library.path = "/nowhere.bc";
  OK(tegula_kernel_create(program, &options, &kernel));
  tegula_kernel_free(kernel);
  tegula_program_free(program);
}

static void testFusionAndRegisters(void) {
  char *text = ptxWith((tegula_kernel_options){.num_warps = 1});
  CHECK(strstr(text, "fma.rn.f32") && !strstr(text, ".maxnreg"));
  free(text);
  /* With a rounding of its own: the assembler fuses what has none. */
  text = ptxWith((tegula_kernel_options){.no_fp_fusion = true});
  CHECK(!strstr(text, "fma") && strstr(text, "mul.rn.f32") && strstr(text, "add.rn.f32"));
  free(text);
  text = ptxWith((tegula_kernel_options){.max_registers = 32});
  CHECK(strstr(text, ".maxnreg 32") && strstr(text, "fma.rn.f32"));
  free(text);
  tegula_program *program = NULL;
  tegula_kernel *kernel = NULL;
  OK(tegula_program_parse("fill.py", fillSource, strlen(fillSource), &program));
  const tegula_kernel_options many = {.size = sizeof many, .max_registers = 256};
  FAILS(tegula_kernel_create(program, &many, &kernel), TEGULA_INVALID_ARGUMENT,
        "expected at most 255 registers of a thread, found 256");
  const tegula_kernel_options clusters = {.size = sizeof clusters, .num_ctas = 3};
  FAILS(tegula_kernel_create(program, &clusters, &kernel), TEGULA_INVALID_ARGUMENT,
        "expected 1, 2, 4 or 8 as num_ctas, found 3");
  tegula_program_free(program);
}

/* The PTX of a product on Hopper. */
static char *productWithout(const char *features) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def product(a_ptr, b_ptr, out_ptr):\n"
                       "    at = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]\n"
                       "    tl.store(out_ptr + at, tl.dot(tl.load(a_ptr + at), tl.load(b_ptr + at)))\n";
  const tegula_kernel_options options = {.size = sizeof options, .arch = "sm_90a", .without = features};
  tegula_kernel *kernel = kernelOf(source, &options);
  const char *types[] = {"*fp16:16", "*fp16:16", "*fp32:16"};
  return ptxOf(kernel, types, 3);
}

static void testFeatures(void) {
  char *text = productWithout("");
  CHECK(strstr(text, "wgmma.mma_async"));
  free(text);
  text = productWithout("wgmma");
  CHECK(!strstr(text, "wgmma") && strstr(text, "mma.sync"));
  free(text);
  tegula_program *program = NULL;
  tegula_kernel *kernel = NULL;
  OK(tegula_program_parse("fill.py", fillSource, strlen(fillSource), &program));
  const tegula_kernel_options unknown = {.size = sizeof unknown, .without = "wgmma,simt"};
  tegula_error *error = tegula_kernel_create(program, &unknown, &kernel);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_INVALID_ARGUMENT);
  CHECK(error && strstr(tegula_error_text(error), "unknown feature `simt`; known: `wgmma`"));
  tegula_error_free(error);
  tegula_program_free(program);
}

static int fillsWith(bool debug) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def checked(x_ptr, n):\n"
                       "    tl.device_assert(n > 5, \"too few\")\n"
                       "    tl.store(x_ptr, 1.0)\n";
  const tegula_kernel_options options = {.size = sizeof options, .debug = debug};
  tegula_kernel *kernel = kernelOf(source, &options);
  tegula_device *device = emulator();
  float value = 0;
  OK(tegula_device_map_host(device, &value, sizeof value));
  const tegula_argument arguments[] = {pointerTo((uint64_t)(uintptr_t)&value, TEGULA_FP32), integer(3)};
  const uint32_t grid[3] = {1, 1, 1};
  tegula_error *error = tegula_kernel_launch(kernel, device, grid, arguments, 2, NULL);
  const int failed = error != NULL;
  CHECK(!failed || strstr(tegula_error_text(error), "too few"));
  tegula_error_free(error);
  tegula_kernel_free(kernel);
  tegula_device_close(device);
  return !failed;
}

void testKernels(void) {
  testParameters();
  testOptions();
  testFusionAndRegisters();
  testLibraries();
  testPrecisionOfProducts();
  testFeatures();
  CHECK(fillsWith(false) && !fillsWith(true));
}
