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

static int released;
static void release(void *context) {
  CHECK(*(int *)context == ++released); /* the one that was handed over last is the first */
}

/* What a host function needs lives as long as anything can call it. */
static void testContextsAreReleased(void) {
  uint32_t entry = 0;
  int second = 1, first = 2;
  tegula_builder *builder = makeBuilder(&entry);
  OK(tegula_builder_own(builder, &first, release));
  OK(tegula_builder_own(builder, &second, release));
  tegula_kernel *kernel = finish(builder, entry);
  tegula_builder_free(builder);
  tegula_variant *variant = NULL;
  const char *type = "*fp32";
  OK(tegula_kernel_prepare_typed(kernel, NULL, &type, 1, &variant));
  tegula_kernel_free(kernel);
  CHECK(released == 0);
  tegula_variant_free(variant);
  CHECK(released == 2);

  builder = tegula_builder_create();
  int only = 3;
  OK(tegula_builder_own(builder, &only, release));
  FAILS(tegula_builder_own(builder, &only, NULL), TEGULA_INVALID_ARGUMENT, "expected `release`, found null");
  FAILS(tegula_builder_own(NULL, &only, release), TEGULA_INVALID_ARGUMENT, "expected `builder`, found null");
  tegula_builder_free(builder);
  CHECK(released == 3);
}

/* apply(x_ptr, FN, PICK): what a launch stores with a function of another source, of the language, or of a tuple. */
static const char *const applyText = "@triton.jit\n"
                                     "def apply(x_ptr, FN: tl.constexpr, PICK: tl.constexpr):\n"
                                     "    tl.store(x_ptr, FN[PICK](2.0))\n";
static const char *const halfText = "@triton.jit\n"
                                    "def half(x):\n"
                                    "    return x / 2\n";

static tegula_error *apply(const tegula_value *functions, uint32_t count, int64_t pick, float *stored) {
  tegula_builder *builder = tegula_builder_create();
  uint32_t entry = 0, half = 0;
  OK(tegula_builder_add_source(builder, "apply.py", applyText, strlen(applyText), 1, &entry));
  OK(tegula_builder_add_source(builder, "half.py", halfText, strlen(halfText), 1, &half));
  CHECK(half == 1);
  const tegula_value language = text(TEGULA_VALUE_LANGUAGE, "triton.language");
  OK(tegula_builder_bind(builder, entry, "tl", &language));
  tegula_program *program = NULL;
  OK(tegula_builder_finish(builder, entry, &program));
  tegula_builder_free(builder);
  const tegula_named_value values[2] = {
      {"FN", {.kind = TEGULA_VALUE_TUPLE, .count = count, .of.elements = functions}},
      {"PICK", {.kind = TEGULA_VALUE_INT, .of.integer = pick}}};
  const tegula_kernel_options options = {.size = sizeof options, .constexprs = values, .constexpr_count = 2};
  tegula_kernel *kernel = NULL;
  tegula_error *error = tegula_kernel_create(program, &options, &kernel);
  tegula_program_free(program);
  if (!error) {
    tegula_device *device = emulator();
    OK(tegula_device_map_host(device, stored, sizeof *stored));
    const tegula_argument argument = pointerTo((uint64_t)(uintptr_t)stored, TEGULA_FP32);
    const uint32_t grid[3] = {1, 1, 1};
    error = tegula_kernel_launch(kernel, device, grid, &argument, 1, NULL);
    tegula_device_close(device);
  }
  tegula_kernel_free(kernel);
  return error;
}

static void testFunctionsAsParameters(void) {
  float stored = 0;
  const tegula_value functions[] = {{.kind = TEGULA_VALUE_FUNCTION, .of.integer = 1, .text = "half"},
                                    text(TEGULA_VALUE_LANGUAGE, "triton.language.exp2")};
  OK(apply(functions, 2, 0, &stored));
  CHECK(stored == 1);
  OK(apply(functions, 2, 1, &stored));
  CHECK(stored == 4);

  const tegula_value lost = {.kind = TEGULA_VALUE_FUNCTION, .of.integer = 7, .text = "half"};
  tegula_error *error = apply(&lost, 1, 0, &stored);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_COMPILE);
  CHECK(strstr(tegula_error_text(error),
               "apply.py:2:18: error: `FN` is bound to the function `half` of source 7, which the program does not have"));
  tegula_error_free(error);
  const tegula_value unknown = text(TEGULA_VALUE_LANGUAGE, "triton.language.exp3");
  error = apply(&unknown, 1, 0, &stored);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_COMPILE && strstr(tegula_error_text(error), "exp3"));
  tegula_error_free(error);
  const tegula_value negative = {.kind = TEGULA_VALUE_FUNCTION, .of.integer = -1, .text = "half"};
  FAILS(apply(&negative, 1, 0, &stored), TEGULA_INVALID_ARGUMENT,
        "the value of `FN`: expected the number of a source, found -1");
  const tegula_value nameless = text(TEGULA_VALUE_FUNCTION, NULL);
  FAILS(apply(&nameless, 1, 0, &stored), TEGULA_INVALID_ARGUMENT, "the value of `FN`: expected `text`, found null");
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
  testContextsAreReleased();
  testFunctionsAsParameters();
  testRefusals();
}
