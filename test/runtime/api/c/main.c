/* c-abi-tests SUBJECT */
#include "Check.h"

const char *const fillSource =
    "import triton\n"
    "import triton.language as tl\n"
    "\n"
    "\n"
    "@triton.jit\n"
    "def fill(x_ptr, n, value, BLOCK: tl.constexpr = 128):\n"
    "    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    tl.store(x_ptr + offsets, value, mask=offsets < n)\n";

tegula_device *emulator(void) {
  tegula_device *device = NULL;
  OK(tegula_device_open("emulator", &device));
  return device;
}

tegula_kernel *kernelOf(const char *source, const tegula_kernel_options *options) {
  tegula_kernel_options none = {.size = sizeof none};
  tegula_program *program = NULL;
  tegula_kernel *kernel = NULL;
  OK(tegula_program_parse("test.py", source, strlen(source), &program));
  OK(tegula_kernel_create(program, options ? options : &none, &kernel));
  tegula_program_free(program);
  return kernel;
}

tegula_argument pointerTo(uint64_t address, tegula_dtype type) {
  tegula_argument argument = {.kind = TEGULA_ARG_POINTER, .type = (uint8_t)type, .of.integer = address};
  return argument;
}
tegula_argument integer(int64_t value) {
  tegula_argument argument = {.kind = TEGULA_ARG_INT, .type = TEGULA_UNTYPED, .of.integer = (uint64_t)value};
  return argument;
}
tegula_argument floating(double value) {
  tegula_argument argument = {.kind = TEGULA_ARG_FLOAT, .type = TEGULA_UNTYPED, .of.floating = value};
  return argument;
}

int main(int count, char **words) {
  const struct {
    const char *name;
    void (*run)(void);
  } tests[] = {
      {"errors", testErrors},   {"devices", testDevices}, {"host-memory", testHostMemory},  
      {"programs", testPrograms}, {"builders", testBuilders}, {"values", testValues},   {"kernels", testKernels},
      {"launches", testLaunches}, {"variants", testVariants}, {"misuse", testMisuse},
      {"threads", testThreads}, {"settings", testSettings}, {"fabrics", testFabrics},
      {"agreements", testAgreements},
  };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i)
    if (count == 2 && strcmp(words[1], tests[i].name) == 0) {
      tests[i].run();
      return 0;
    }
  fprintf(stderr, "expected the name of a test\n");
  return 2;
}
