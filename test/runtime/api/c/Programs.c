#include "Check.h"

static void take(void *context, const tegula_diagnostic *message) {
  char *text = context;
  strncat(text, message->message, 200);
  CHECK(message->file && message->source_line && message->help);
}

static void testKernelNames(void) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def first(x_ptr):\n"
                       "    tl.store(x_ptr, 1.0)\n"
                       "@triton.jit\n"
                       "def second(x_ptr):\n"
                       "    tl.store(x_ptr, 2.0)\n";
  tegula_program *program = NULL;
  OK(tegula_program_parse("two.py", source, strlen(source), &program));
  CHECK(tegula_program_kernel_count(program) == 2);
  CHECK_TEXT(tegula_program_kernel_name(program, 0), "first");
  CHECK_TEXT(tegula_program_kernel_name(program, 1), "second");
  CHECK_TEXT(tegula_program_kernel_name(program, 2), "");
  tegula_kernel_options options = {.size = sizeof options};
  tegula_kernel *kernel = NULL;
  FAILS(tegula_kernel_create(program, &options, &kernel), TEGULA_INVALID_ARGUMENT,
        "`two.py` has several kernels, name one: `first`, `second`");
  options.name = "third";
  FAILS(tegula_kernel_create(program, &options, &kernel), TEGULA_INVALID_ARGUMENT,
        "`two.py` has no kernel `third`");
  options.name = "second";
  OK(tegula_kernel_create(program, &options, &kernel));
  tegula_kernel_free(kernel);
  tegula_program_free(program);
  tegula_program_free(NULL);
}

static void testFiles(void) {
  tegula_program *program = NULL;
  OK(tegula_program_load(TEGULA_KERNELS "/vector_add.py", &program));
  CHECK_TEXT(tegula_program_kernel_name(program, 0), "add_kernel");
  tegula_program_free(program);
  program = NULL;
  FAILS(tegula_program_load("/nowhere/kernel.py", &program), TEGULA_IO,
        "cannot read `/nowhere/kernel.py`: No such file or directory");
  CHECK(!program);
}

/* A file that does not parse is taken; what compiles it says what is wrong. */
static void testBrokenText(void) {
  const char *source = "import triton\n@triton.jit\ndef broken(:\n";
  tegula_program *program = NULL;
  tegula_kernel *kernel = NULL;
  OK(tegula_program_parse("broken.py", source, strlen(source), &program));
  CHECK(tegula_program_kernel_count(program) == 0);
  tegula_kernel_options options = {.size = sizeof options};
  tegula_error *error = tegula_kernel_create(program, &options, &kernel);
  CHECK(error && tegula_error_get_kind(error) == TEGULA_COMPILE);
  size_t count = 0;
  const tegula_diagnostic *found = tegula_error_diagnostics(error, &count);
  CHECK(count >= 1 && found->line == 3);
  tegula_error_free(error);
  tegula_program_free(program);

  OK(tegula_program_parse("empty.py", "", 0, &program));
  FAILS(tegula_kernel_create(program, &options, &kernel), TEGULA_COMPILE,
        "empty.py: error: the file has no `@triton.jit` function\n");
  tegula_program_free(program);
}

static void testMessages(void) {
  const char *source = "import triton\n"
                       "import triton.language as tl\n"
                       "@triton.jit\n"
                       "def chatty(x_ptr, N: tl.constexpr):\n"
                       "    tl.static_print(\"N is\", N)\n"
                       "    tl.store(x_ptr, 1.0)\n";
  tegula_program *program = NULL;
  tegula_kernel *kernel = NULL;
  tegula_variant *variant = NULL;
  OK(tegula_program_parse("chatty.py", source, strlen(source), &program));
  const tegula_named_value n = {"N", {.kind = TEGULA_VALUE_INT, .of.integer = 7}};
  tegula_kernel_options options = {.size = sizeof options, .constexprs = &n, .constexpr_count = 1};
  OK(tegula_kernel_create(program, &options, &kernel));
  const char *type = "*fp32";
  OK(tegula_kernel_prepare_typed(kernel, NULL, &type, 1, &variant));
  char text[512] = "";
  tegula_program_take_messages(program, take, text);
  CHECK(strstr(text, "N is 7"));
  text[0] = 0;
  tegula_program_take_messages(program, take, text);
  CHECK_TEXT(text, "");
  tegula_program_take_messages(program, NULL, NULL);
  tegula_program_take_messages(NULL, take, NULL);
  tegula_variant_free(variant);
  tegula_kernel_free(kernel);
  tegula_program_free(program);
}

/* A text imports from the folders that it is given; without any nothing is known of other files. */
static void testImports(void) {
  const char *source = "import triton\n"
                       "from vector_add import add_kernel\n"
                       "@triton.jit\n"
                       "def twice(x_ptr, n):\n"
                       "    add_kernel(x_ptr, x_ptr, x_ptr, n, 16)\n";
  const char *folder = TEGULA_KERNELS, *none = NULL, *types[] = {"*fp32", "i32"};
  tegula_program *program = NULL;
  tegula_kernel *kernel = NULL;
  tegula_variant *variant = NULL;
  tegula_kernel_options options = {.size = sizeof options};
  OK(tegula_program_parse_with_imports("twice.py", source, strlen(source), &folder, 1, &program));
  OK(tegula_kernel_create(program, &options, &kernel));
  OK(tegula_kernel_prepare_typed(kernel, NULL, types, 2, &variant));
  tegula_variant_free(variant);
  tegula_kernel_free(kernel);
  tegula_program_free(program);

  OK(tegula_program_parse("twice.py", source, strlen(source), &program));
  OK(tegula_kernel_create(program, &options, &kernel));
  tegula_error *error = tegula_kernel_prepare_typed(kernel, NULL, types, 2, &variant);
  CHECK(error && strstr(tegula_error_text(error), "`add_kernel` comes from `vector_add`, and only one file is compiled"));
  tegula_error_free(error);
  tegula_kernel_free(kernel);
  tegula_program_free(program);

  OK(tegula_program_load_with_imports(TEGULA_KERNELS "/vector_add.py", &folder, 1, &program));
  tegula_program_free(program);
  FAILS(tegula_program_parse_with_imports("x.py", "", 0, &none, 1, &program), TEGULA_INVALID_ARGUMENT,
        "expected `folders[i]`, found null");
  FAILS(tegula_program_load_with_imports("x.py", NULL, 1, &program), TEGULA_INVALID_ARGUMENT,
        "expected `folders`, found null");
}

void testPrograms(void) {
  testKernelNames();
  testFiles();
  testImports();
  testBrokenText();
  testMessages();
}
