#include "Check.h"

static void testDiagnostics(void) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def wrong(x_ptr):\n"
                       "    tl.store(x_ptr, valeu)\n";
  tegula_kernel *kernel = kernelOf(source, NULL);
  const char *type = "*fp32";
  tegula_variant *variant = NULL;
  tegula_error *error = tegula_kernel_prepare_typed(kernel, NULL, &type, 1, &variant);
  CHECK(error && !variant);
  CHECK(tegula_error_get_kind(error) == TEGULA_COMPILE);
  CHECK(strstr(tegula_error_text(error), "test.py:5:21: error: "));
  CHECK(strstr(tegula_error_text(error), "                    ^~~~~"));
  size_t count = 0;
  const tegula_diagnostic *found = tegula_error_diagnostics(error, &count);
  CHECK(count == 1 && found);
  CHECK(found->severity == TEGULA_ERROR);
  CHECK(strstr(found->message, "`valeu`"));
  CHECK_TEXT(found->file, "test.py");
  CHECK(found->line == 5 && found->column == 21 && found->end_column == 26);
  CHECK_TEXT(found->source_line, "    tl.store(x_ptr, valeu)");
  CHECK(found->help != NULL);
  CHECK(!tegula_error_resource(error, NULL, NULL, NULL));
  tegula_error_free(error);
  tegula_kernel_free(kernel);
}

/* A note stands at the other place involved. */
static void testNotes(void) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def inner(x):\n"
                       "    return x + missing\n"
                       "@triton.jit\n"
                       "def outer(x_ptr):\n"
                       "    tl.store(x_ptr, inner(1.0))\n";
  tegula_kernel *kernel = kernelOf(source, NULL);
  const char *type = "*fp32";
  tegula_variant *variant = NULL;
  tegula_error *error = tegula_kernel_prepare_typed(kernel, NULL, &type, 1, &variant);
  CHECK(error);
  size_t count = 0;
  const tegula_diagnostic *found = tegula_error_diagnostics(error, &count);
  CHECK(count == 1 && found->note_count == 1 && found->notes);
  CHECK(found->line == 5);
  CHECK(found->notes->severity == TEGULA_NOTE && found->notes->line == 8);
  tegula_error_free(error);
  tegula_kernel_free(kernel);
}

static void testResources(void) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def one(x_ptr):\n"
                       "    tl.store(x_ptr, 1.0)\n";
  tegula_device *device = emulator();
  tegula_kernel *kernel = kernelOf(source, NULL);
  uint64_t address = 0;
  OK(tegula_device_allocate(device, 4, &address));
  const tegula_argument argument = pointerTo(address, TEGULA_FP32);
  const uint32_t grid[3] = {1, 70000, 1};
  tegula_error *error = tegula_kernel_launch(kernel, device, grid, &argument, 1, NULL);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_OUT_OF_RESOURCES);
  const char *name = NULL;
  uint64_t required = 0, limit = 0;
  CHECK(tegula_error_resource(error, &name, &required, &limit));
  CHECK_TEXT(name, "grid");
  CHECK(required == 70000 && limit == 65535);
  CHECK(tegula_error_diagnostics(error, NULL) == NULL);
  tegula_error_free(error);
  OK(tegula_device_free(device, address));
  tegula_kernel_free(kernel);
  tegula_device_close(device);
}

/* What the architecture has too little of is known while compiling, and is data there too. */
static void testSharedMemory(void) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def wide(a_ptr, b_ptr, c_ptr, N: tl.constexpr):\n"
                       "    i = tl.arange(0, N)\n"
                       "    places = i[:, None] * N + i[None, :]\n"
                       "    a = tl.load(a_ptr + places)\n"
                       "    b = tl.load(b_ptr + places)\n"
                       "    tl.store(c_ptr + places, tl.dot(a, b))\n";
  const tegula_named_value n = {"N", {.kind = TEGULA_VALUE_INT, .of.integer = 256}};
  const tegula_kernel_options options = {
      .size = sizeof options, .constexprs = &n, .constexpr_count = 1, .num_warps = 32, .arch = "sm_86"};
  tegula_kernel *kernel = kernelOf(source, &options);
  const char *types[] = {"*bf16:16", "*bf16:16", "*fp32:16"};
  tegula_variant *variant = NULL;
  tegula_error *error = tegula_kernel_prepare_typed(kernel, NULL, types, 3, &variant);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_COMPILE);
  const char *name = NULL;
  uint64_t required = 0, limit = 0;
  CHECK(tegula_error_resource(error, &name, &required, &limit));
  CHECK_TEXT(name, "shared memory");
  CHECK(limit == 101376 && required > limit);
  tegula_error_free(error);
  tegula_kernel_free(kernel);
}

void testErrors(void) {
  testDiagnostics();
  testSharedMemory();
  testNotes();
  testResources();
  CHECK_TEXT(tegula_error_text(NULL), "");
  CHECK(tegula_error_get_kind(NULL) == (tegula_error_kind)0);
  size_t count = 7;
  CHECK(!tegula_error_diagnostics(NULL, &count) && count == 0);
  CHECK(!tegula_error_resource(NULL, NULL, NULL, NULL));
  tegula_error_free(NULL);
}
