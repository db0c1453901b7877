/* The least that tests of the C ABI need: C11 alone, as a user's program would be. */
#ifndef TEGULA_TEST_CHECK_H
#define TEGULA_TEST_CHECK_H

#include <tegula/tegula_c.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program where `condition` does not hold. */
#define CHECK(condition)                                                                                     \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                               \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

#define CHECK_TEXT(found, expected)                                                                          \
  do {                                                                                                       \
    const char *text_ = (found);                                                                             \
    if (strcmp(text_, (expected)) != 0) {                                                                    \
      fprintf(stderr, "%s:%d: expected `%s`, found `%s`\n", __FILE__, __LINE__, (expected), text_);          \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* A call that has to succeed. */
#define OK(call)                                                                                             \
  do {                                                                                                       \
    tegula_error *error_ = (call);                                                                           \
    if (error_) {                                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, tegula_error_text(error_));                         \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* A call that has to fail like this. */
#define FAILS(call, expectedKind, expectedText)                                                              \
  do {                                                                                                       \
    tegula_error *error_ = (call);                                                                           \
    CHECK(error_ != NULL);                                                                                   \
    CHECK_TEXT(tegula_error_text(error_), expectedText);                                                     \
    CHECK(tegula_error_get_kind(error_) == (expectedKind));                                                  \
    tegula_error_free(error_);                                                                               \
  } while (0)

/* The tests, one a subject. */
void testAgreements(void);
void testErrors(void);
void testDevices(void);
void testHostMemory(void);
void testPrograms(void);
void testSettings(void);
void testBuilders(void);
void testValues(void);
void testKernels(void);
void testLaunches(void);
void testVariants(void);
void testMisuse(void);
void testThreads(void);
void testFabrics(void);

/* def fill(x_ptr, n, value, BLOCK: tl.constexpr = 128): stores `value` to the first n of x. */
extern const char *const fillSource;

/* A kernel of `source`, whose program is freed: the kernel keeps what it needs. `options` may be null. */
tegula_kernel *kernelOf(const char *source, const tegula_kernel_options *options);
tegula_device *emulator(void);
tegula_argument pointerTo(uint64_t address, tegula_dtype type);
tegula_argument integer(int64_t value);
tegula_argument floating(double value);

#endif
