/* Programs of several sources, as a host hands them over. */
#include "Check.h"

static const char *const scaleText = "@triton.jit\n"
                                     "def scaled(x):\n"
                                     "    return x * FACTOR + table.offset\n";
static const char *const entryText = "    @triton.jit\n"
                                     "    def kernel(x_ptr, N: tl.constexpr):\n"
                                     "        i = tl.arange(0, N)\n"
                                     "        tl.store(x_ptr + i, scale(i.to(tl.float32)) + double(SHIFT))\n";

static tegula_value text(tegula_value_kind kind, const char *what) {
  return (tegula_value){.kind = (uint8_t)kind, .text = what};
}

/* double(x) computes 2 * x, and refuses other than numbers. */
static bool doubled(void *context, const tegula_value *arguments, const char *const *names, size_t count,
                    tegula_value *result) {
  ++*(int *)context;
  CHECK(count == 1 && names[0] == NULL);
  if (arguments[0].kind != TEGULA_VALUE_INT) {
    *result = text(TEGULA_VALUE_STRING, "a number is needed");
    return false;
  }
  *result = (tegula_value){.kind = TEGULA_VALUE_INT, .of.integer = 2 * arguments[0].of.integer};
  return true;
}

static int calls;

static tegula_builder *makeBuilder(uint32_t *entry) {
  tegula_builder *builder = tegula_builder_create();
  CHECK(builder);
  uint32_t scale = 99;
  OK(tegula_builder_add_source(builder, "scale.py", scaleText, strlen(scaleText), 11, &scale));
  OK(tegula_builder_add_source(builder, "entry.py", entryText, strlen(entryText), 21, entry));
  CHECK(scale == 0 && *entry == 1);
  const tegula_value triton = text(TEGULA_VALUE_LANGUAGE, "triton");
  const tegula_value language = text(TEGULA_VALUE_LANGUAGE, "triton.language");
  for (uint32_t source = 0; source < 2; ++source) {
    OK(tegula_builder_bind(builder, source, "triton", &triton));
    OK(tegula_builder_bind(builder, source, "tl", &language));
  }
  const tegula_value factor = {.kind = TEGULA_VALUE_FLOAT, .is_constexpr = 1, .of.floating = 3};
  OK(tegula_builder_bind(builder, 0, "FACTOR", &factor));
  const tegula_value offset = {.kind = TEGULA_VALUE_INT, .is_constexpr = 1, .of.integer = 5};
  const char *names[] = {"offset"};
  const tegula_value table = {
      .kind = TEGULA_VALUE_NAMESPACE, .count = 1, .of.elements = &offset, .text = "module `table`", .names = names};
  OK(tegula_builder_bind(builder, 0, "table", &table));
  const tegula_value function = {.kind = TEGULA_VALUE_FUNCTION, .of.integer = 0, .text = "scaled"};
  OK(tegula_builder_bind(builder, 1, "scale", &function));
  const tegula_value host = {
      .kind = TEGULA_VALUE_HOST_FUNCTION, .of.call = doubled, .text = "double", .context = &calls};
  OK(tegula_builder_bind(builder, 1, "double", &host));
  const tegula_value shift = {.kind = TEGULA_VALUE_INT, .is_constexpr = 1, .of.integer = 100};
  OK(tegula_builder_bind(builder, 1, "SHIFT", &shift));
  return builder;
}

static tegula_kernel *finish(tegula_builder *builder, uint32_t entry) {
  tegula_program *program = NULL;
  tegula_kernel *kernel = NULL;
  OK(tegula_builder_finish(builder, entry, &program));
  CHECK(tegula_program_kernel_count(program) == 1);
  CHECK_TEXT(tegula_program_kernel_name(program, 0), "kernel");
  const tegula_named_value n = {"N", {.kind = TEGULA_VALUE_INT, .of.integer = 4}};
  const tegula_kernel_options options = {.size = sizeof options, .constexprs = &n, .constexpr_count = 1};
  OK(tegula_kernel_create(program, &options, &kernel));
  tegula_program_free(program);
  return kernel;
}

static void testValuesAreUsed(const char *kind) {
  uint32_t entry = 0;
  tegula_builder *builder = makeBuilder(&entry);
  tegula_kernel *kernel = finish(builder, entry);
  tegula_device *device = NULL;
  OK(tegula_device_open(kind, &device));
  float values[4] = {0};
  OK(tegula_device_map_host(device, values, sizeof values));
  const tegula_argument argument = pointerTo((uint64_t)(uintptr_t)values, TEGULA_FP32);
  const uint32_t grid[3] = {1, 1, 1};
  calls = 0;
  OK(tegula_kernel_launch(kernel, device, grid, &argument, 1, NULL));
  CHECK(values[0] == 205 && values[3] == 214);
  CHECK(calls == 1);
  tegula_kernel_free(kernel);
  tegula_device_close(device);
  tegula_builder_free(builder);
}

/* Each message names the file and line where the text came from. */
static void testPlaces(void) {
  uint32_t entry = 0;
  tegula_builder *builder = makeBuilder(&entry);
  const tegula_value tensor = text(TEGULA_VALUE_UNKNOWN, "a torch.Tensor");
  OK(tegula_builder_bind(builder, 0, "FACTOR", &tensor));
  const char *type = "*fp32";
  tegula_variant *variant = NULL;
  tegula_kernel *kernel = finish(builder, entry);
  tegula_error *error = tegula_kernel_prepare_typed(kernel, NULL, &type, 1, &variant);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_COMPILE);
  size_t count = 0;
  const tegula_diagnostic *found = tegula_error_diagnostics(error, &count);
  CHECK(count >= 1);
  CHECK_TEXT(found->file, "scale.py");
  CHECK(found->line == 13 && strstr(found->message, "torch.Tensor"));
  tegula_error_free(error);
  tegula_kernel_free(kernel);

  /* What a host function refuses is an error at its call. */
  const tegula_value factor = {.kind = TEGULA_VALUE_FLOAT, .is_constexpr = 1, .of.floating = 3};
  OK(tegula_builder_bind(builder, 0, "FACTOR", &factor));
  const tegula_value word = {.kind = TEGULA_VALUE_STRING, .is_constexpr = 1, .text = "far"};
  OK(tegula_builder_bind(builder, 1, "SHIFT", &word));
  kernel = finish(builder, entry);
  error = tegula_kernel_prepare_typed(kernel, NULL, &type, 1, &variant);
  CHECK(error && strstr(tegula_error_text(error), "entry.py:24:"));
  CHECK(strstr(tegula_error_text(error), "a number is needed"));
  tegula_error_free(error);
  tegula_kernel_free(kernel);
  tegula_builder_free(builder);
}

/* A line in front of a file's first: what follows has the lines of the file. */
static void testLineInFrontOfTheFile(void) {
  const char *source = "@triton.jit\ndef kernel(x, N: tl.constexpr):\n    tl.store(x, nothing)\n", *type = "*fp32";
  tegula_builder *builder = tegula_builder_create();
  uint32_t entry = 0;
  OK(tegula_builder_add_source(builder, "top.py", source, strlen(source), 0, &entry));
  const tegula_value language = text(TEGULA_VALUE_LANGUAGE, "triton.language");
  OK(tegula_builder_bind(builder, entry, "tl", &language));
  tegula_kernel *kernel = finish(builder, entry);
  tegula_variant *variant = NULL;
  tegula_error *error = tegula_kernel_prepare_typed(kernel, NULL, &type, 1, &variant);
  CHECK(error && strstr(tegula_error_text(error), "top.py:2:17"));
  tegula_error_free(error);
  tegula_kernel_free(kernel);
  tegula_builder_free(builder);
}

static void testRefusals(void) {
  uint32_t entry = 0;
  tegula_builder *builder = makeBuilder(&entry);
  tegula_program *program = NULL;
  tegula_value value = {.kind = TEGULA_VALUE_NONE};
  FAILS(tegula_builder_bind(builder, 2, "x", &value), TEGULA_INVALID_ARGUMENT,
        "expected the number of one of 2 sources, found 2");
  FAILS(tegula_builder_finish(builder, 7, &program), TEGULA_INVALID_ARGUMENT,
        "expected the number of one of 2 sources, found 7");
  value.kind = 200;
  FAILS(tegula_builder_bind(builder, 0, "x", &value), TEGULA_INVALID_ARGUMENT,
        "the value of `x`: expected a kind of value, found 200");
  value = text(TEGULA_VALUE_DTYPE, "*fp12");
  FAILS(tegula_builder_bind(builder, 0, "x", &value), TEGULA_INVALID_ARGUMENT,
        "the value of `x`: expected the name of a type, found `*fp12`");
  value = text(TEGULA_VALUE_FUNCTION, NULL);
  FAILS(tegula_builder_bind(builder, 0, "x", &value), TEGULA_INVALID_ARGUMENT,
        "the value of `x`: expected `text`, found null");
  value = text(TEGULA_VALUE_HOST_FUNCTION, "f");
  FAILS(tegula_builder_bind(builder, 0, "x", &value), TEGULA_INVALID_ARGUMENT,
        "the value of `x`: expected `call`, found null");
  const tegula_value none = {.kind = TEGULA_VALUE_NONE};
  value = (tegula_value){.kind = TEGULA_VALUE_DICT, .count = 1, .of.elements = &none};
  FAILS(tegula_builder_bind(builder, 0, "x", &value), TEGULA_INVALID_ARGUMENT,
        "the value of `x`: expected `names`, found null");
  const char *const missing[] = {NULL};
  value.names = missing;
  FAILS(tegula_builder_bind(builder, 0, "x", &value), TEGULA_INVALID_ARGUMENT,
        "the value of `x`: expected name 0, found null");
  value = (tegula_value){.kind = TEGULA_VALUE_LIST, .count = 1};
  FAILS(tegula_builder_bind(builder, 0, "x", &value), TEGULA_INVALID_ARGUMENT,
        "the value of `x`: expected `elements`, found null");
  value.of.elements = &value;
  FAILS(tegula_builder_bind(builder, 0, "x", &value), TEGULA_INVALID_ARGUMENT,
        "the value of `x`: expected at most 64 values within each other");
#define NEEDS(call, name) FAILS(call, TEGULA_INVALID_ARGUMENT, "expected `" name "`, found null")
  NEEDS(tegula_builder_add_source(NULL, "x.py", "", 0, 1, &entry), "builder");
  NEEDS(tegula_builder_add_source(builder, NULL, "", 0, 1, &entry), "path");
  NEEDS(tegula_builder_add_source(builder, "x.py", NULL, 0, 1, &entry), "text");
  NEEDS(tegula_builder_add_source(builder, "x.py", "", 0, 1, NULL), "source");
  NEEDS(tegula_builder_bind(NULL, 0, "x", &none), "builder");
  NEEDS(tegula_builder_bind(builder, 0, NULL, &none), "name");
  NEEDS(tegula_builder_bind(builder, 0, "x", NULL), "value");
  NEEDS(tegula_builder_finish(NULL, 0, &program), "builder");
  NEEDS(tegula_builder_finish(builder, 0, NULL), "program");
  tegula_builder_free(builder);
  tegula_builder_free(NULL);
}

void testBuilders(void) {
  testValuesAreUsed("emulator");
  testValuesAreUsed("interpret");
  testPlaces();
  testLineInFrontOfTheFile();
  testRefusals();
}
