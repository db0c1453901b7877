/* Compile-time values of every kind that a parameter can have. */
#include "Check.h"

static const char *const source = "import triton\n"
                                  "import triton.language as tl\n"
                                  "@triton.jit\n"
                                  "def probe(x_ptr, V: tl.constexpr, EXPECTED: tl.constexpr):\n"
                                  "    tl.static_assert(V == EXPECTED)\n"
                                  "    tl.store(x_ptr, 1.0)\n"
                                  "@triton.jit\n"
                                  "def none(x_ptr, V: tl.constexpr):\n"
                                  "    tl.static_assert(V is None)\n"
                                  "    tl.store(x_ptr, 1.0)\n"
                                  "@triton.jit\n"
                                  "def dtype(x_ptr, V: tl.constexpr):\n"
                                  "    tl.store(x_ptr, tl.zeros([1], V).to(tl.float32).sum(0))\n"
                                  "@triton.jit\n"
                                  "def pair(x_ptr, V: tl.constexpr):\n"
                                  "    tl.static_assert(V[0] == 3)\n"
                                  "    tl.static_assert(V[1] == \"four\")\n"
                                  "    tl.store(x_ptr, 1.0)\n"
                                  "@triton.jit\n"
                                  "def twice(x):\n"
                                  "    return x * 2\n"
                                  "@triton.jit\n"
                                  "def apply(x_ptr, V: tl.constexpr):\n"
                                  "    tl.store(x_ptr, V(2.0))\n";

static tegula_error *compile(const char *name, tegula_value value, const tegula_value *expected) {
  tegula_program *program = NULL;
  tegula_kernel *kernel = NULL;
  tegula_variant *variant = NULL;
  OK(tegula_program_parse("values.py", source, strlen(source), &program));
  tegula_named_value values[2] = {{"V", value}, {"EXPECTED", value}};
  if (expected)
    values[1].value = *expected;
  tegula_kernel_options options = {.size = sizeof options, .name = name, .constexprs = values};
  options.constexpr_count = expected ? 2 : 1;
  const char *type = "*fp32";
  tegula_error *error = tegula_kernel_create(program, &options, &kernel);
  if (!error)
    error = tegula_kernel_prepare_typed(kernel, NULL, &type, 1, &variant);
  tegula_variant_free(variant);
  tegula_kernel_free(kernel);
  tegula_program_free(program);
  return error;
}

static void same(tegula_value value) { OK(compile("probe", value, &value)); }

void testValues(void) {
  same((tegula_value){.kind = TEGULA_VALUE_BOOL, .of.integer = 1});
  same((tegula_value){.kind = TEGULA_VALUE_INT, .of.integer = -5});
  same((tegula_value){.kind = TEGULA_VALUE_UINT, .of.integer = -1});
  same((tegula_value){.kind = TEGULA_VALUE_FLOAT, .of.floating = 0.5});
  same((tegula_value){.kind = TEGULA_VALUE_STRING, .text = "relu"});
  OK(compile("none", (tegula_value){.kind = TEGULA_VALUE_NONE}, NULL));
  OK(compile("dtype", (tegula_value){.kind = TEGULA_VALUE_DTYPE, .text = "bf16"}, NULL));
  const tegula_value elements[2] = {{.kind = TEGULA_VALUE_INT, .of.integer = 3},
                                    {.kind = TEGULA_VALUE_STRING, .text = "four"}};
  OK(compile("pair", (tegula_value){.kind = TEGULA_VALUE_TUPLE, .count = 2, .of.elements = elements}, NULL));

  OK(compile("pair", (tegula_value){.kind = TEGULA_VALUE_LIST, .count = 2, .of.elements = elements}, NULL));
  const char *const keys[2] = {"a", "b"};
  same((tegula_value){.kind = TEGULA_VALUE_DICT, .count = 2, .of.elements = elements, .names = keys});

  OK(compile("apply", (tegula_value){.kind = TEGULA_VALUE_FUNCTION, .of.integer = 0, .text = "twice"}, NULL));

  /* A small number is the same value, whichever of the two kinds it comes as. */
  const tegula_value small = {.kind = TEGULA_VALUE_INT, .of.integer = 9};
  OK(compile("probe", (tegula_value){.kind = TEGULA_VALUE_UINT, .of.integer = 9}, &small));

  FAILS(compile("probe", (tegula_value){.kind = TEGULA_VALUE_DTYPE, .text = "fp12"}, NULL),
        TEGULA_INVALID_ARGUMENT, "the value of `V`: expected the name of a type, found `fp12`");
  FAILS(compile("probe", (tegula_value){.kind = TEGULA_VALUE_STRING}, NULL), TEGULA_INVALID_ARGUMENT,
        "the value of `V`: expected `text`, found null");
  FAILS(compile("probe", (tegula_value){.kind = TEGULA_VALUE_TUPLE, .count = 1}, NULL), TEGULA_INVALID_ARGUMENT,
        "the value of `V`: expected `elements`, found null");
  FAILS(compile("probe", (tegula_value){.kind = 99}, NULL), TEGULA_INVALID_ARGUMENT,
        "the value of `V`: expected a kind of value, found 99");
  tegula_value endless = {.kind = TEGULA_VALUE_TUPLE, .count = 1};
  endless.of.elements = &endless;
  FAILS(compile("probe", endless, NULL), TEGULA_INVALID_ARGUMENT,
        "the value of `V`: expected at most 64 values within each other");
  FAILS(compile("probe", (tegula_value){.kind = TEGULA_VALUE_HOST_FUNCTION, .text = "pick"}, NULL),
        TEGULA_INVALID_ARGUMENT,
        "the value of `V`: expected a function that kernels call, found one of the host program");
}
