/* Tegula's C ABI without the compiler: devices, and kernels that `tegula bundle` compiled ahead of time.
 *
 * libtegula-runtime has what is in here, and libtegula too. The rules on errors, ownership, threads and versions are those of
 * <tegula/tegula_c.h>, which has the rest. A program with kernels linked in calls the functions of the header that
 * `tegula bundle --c=OUT` wrote:
 *
 *     tegula_error *error = add_kernel(stream, blocks, 1, 1, x, y, out, n);
 */
#ifndef TEGULA_RUNTIME_H
#define TEGULA_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TEGULA_C_API __attribute__((visibility("default")))
#else
#define TEGULA_C_API
#endif

/* The version of this header; everything else of the project takes its version from here. */
#define TEGULA_VERSION_MAJOR 0
#define TEGULA_VERSION_MINOR 1
#define TEGULA_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0": of the library that is loaded. */
TEGULA_C_API const char *tegula_version(void);

/*===--- errors ------------------------------------------------------------------------------===*/

typedef struct tegula_error tegula_error;

/* What went wrong, by whose mending it is. */
typedef enum tegula_error_kind {
  TEGULA_INVALID_ARGUMENT = 1, /* the caller passed something unusable; nothing was done */
  TEGULA_COMPILE, /* the source is wrong: see the diagnostics; or PTX that no device takes: without them */
  TEGULA_UNAVAILABLE,      /* a driver, device, library or symbol is missing */
  TEGULA_OUT_OF_RESOURCES, /* memory, shared memory, threads or grid exceed what the device has */
  TEGULA_DRIVER,           /* a driver call failed */
  TEGULA_FAULT,            /* a kernel misbehaved while running */
  TEGULA_IO,               /* a file could not be read or written */
  TEGULA_INTERRUPTED,      /* the check of `tegula_set_interrupt_check` said so */
  TEGULA_FROZEN,           /* a kernel would have to be compiled, tuned or loaded, after `tegula_freeze` or while its
                            * stream is captured */
} tegula_error_kind;

TEGULA_C_API tegula_error_kind tegula_error_get_kind(const tegula_error *error);
/* One or more lines for a person; the rendered diagnostics, with carets, where there are any. */
TEGULA_C_API const char *tegula_error_text(const tegula_error *error);
/* What there is too little of ("shared memory", "threads", "registers", "grid", "memory"), how much was asked
 * for and how much there is: of TEGULA_OUT_OF_RESOURCES, and of TEGULA_COMPILE where the kernel needs more
 * than its architecture has. False where the error names no such numbers. */
TEGULA_C_API bool tegula_error_resource(const tegula_error *error, const char **name, uint64_t *required,
                                        uint64_t *limit);
TEGULA_C_API void tegula_error_free(tegula_error *error);

/*===--- devices -----------------------------------------------------------------------------===*/

typedef struct tegula_device tegula_device;

/* Opens "cuda", "cuda:N", "emulator", "interpret" (the reference interpreter) or "auto": the first CUDA
 * device, else the emulator. Null or "" takes TEGULA_DEVICE, then "auto". A CUDA device is used in its
 * primary context, which is the one of the CUDA runtime and of PyTorch; the calling thread's current context
 * stays as it was. */
TEGULA_C_API tegula_error *tegula_device_open(const char *kind, tegula_device **device);
TEGULA_C_API void tegula_device_close(tegula_device *device);

typedef struct tegula_device_properties {
  size_t size;
  const char *name;   /* the driver's name of the chip, "emulator" or "interpreter" */
  const char *kind;   /* "cuda", "emulator" or "interpret" */
  const char *arch;   /* what kernels are compiled for, for example "sm_90a" */
  const char *driver; /* version of the driver, empty where there is none */
  int32_t ordinal;    /* of a CUDA device in the driver's order, else -1 */
  uint32_t compute_major, compute_minor;
  uint32_t multiprocessors;
  uint32_t warp_size;
  uint32_t max_threads_per_block;
  uint32_t max_shared_per_block; /* bytes that a kernel may opt in to */
  uint32_t registers_per_multiprocessor;
  uint32_t max_grid[3];
  uint64_t total_memory; /* bytes */
  uint64_t l2_bytes;
} tegula_device_properties;
/* Fills what fits into `properties->size` bytes. */
TEGULA_C_API void tegula_device_get_properties(const tegula_device *device,
                                               tegula_device_properties *properties);

/* Memory of the device, aligned to 256 bytes. */
TEGULA_C_API tegula_error *tegula_device_allocate(tegula_device *device, size_t bytes, uint64_t *address);
TEGULA_C_API tegula_error *tegula_device_free(tegula_device *device, uint64_t address);
TEGULA_C_API tegula_error *tegula_device_upload(tegula_device *device, uint64_t to, const void *from,
                                                size_t bytes);
TEGULA_C_API tegula_error *tegula_device_download(tegula_device *device, void *to, uint64_t from,
                                                  size_t bytes);

/* Lets kernels on the emulator and the interpreter work on memory of the host where it lies: from now on its
 * addresses are addresses of the device, and all of it counts as initialised. Mapped ranges may overlap each
 * other, and each is unmapped once. A CUDA device refuses (TEGULA_INVALID_ARGUMENT). */
TEGULA_C_API tegula_error *tegula_device_map_host(tegula_device *device, void *memory, size_t bytes);
/* The same for memory that kernels may read and not write: a write is a fault. Where such a range overlaps
 * one of the other kind it may be written. */
TEGULA_C_API tegula_error *tegula_device_map_host_to_read(tegula_device *device, const void *memory,
                                                          size_t bytes);
TEGULA_C_API tegula_error *tegula_device_unmap_host(tegula_device *device, void *memory, size_t bytes);

/* Waits for all work on the device; gives the first fault among it. */
TEGULA_C_API tegula_error *tegula_device_synchronize(tegula_device *device);
/* What kernels on the emulator and the interpreter have printed since the last call, to be freed with
 * `tegula_text_free`; a GPU's driver prints by itself when the host waits. */
TEGULA_C_API char *tegula_device_take_printed(tegula_device *device);
TEGULA_C_API void tegula_text_free(char *text);

/*===--- launches ----------------------------------------------------------------------------===*/

/* The types of the language, as arguments have them. */
typedef enum tegula_dtype {
  TEGULA_I1 = 0,
  TEGULA_I8,
  TEGULA_I16,
  TEGULA_I32,
  TEGULA_I64,
  TEGULA_U8,
  TEGULA_U16,
  TEGULA_U32,
  TEGULA_U64,
  TEGULA_FP16,
  TEGULA_BF16,
  TEGULA_FP32,
  TEGULA_FP64,
  TEGULA_FP8E4NV,
  TEGULA_FP8E5,
  TEGULA_FP8E4B15,
  TEGULA_FP8E4B8,
  TEGULA_FP8E5B16,
  TEGULA_UNTYPED = 255 /* of a number: the type that its value needs, as in Triton */
} tegula_dtype;

typedef enum tegula_argument_kind {
  TEGULA_ARG_NONE = 0,
  TEGULA_ARG_BOOL,
  TEGULA_ARG_INT,
  TEGULA_ARG_UINT, /* past INT64_MAX */
  TEGULA_ARG_FLOAT,
  TEGULA_ARG_POINTER, /* `type` is what it points to */
  TEGULA_ARG_DEFAULT, /* the default in the parameter's declaration */
  TEGULA_ARG_TUPLE,   /* of `integer` items, which are the arguments behind it; of launches and `prepare` */
} tegula_argument_kind;

/* One argument of a launch: 16 bytes without a pointer to anything. */
typedef struct tegula_argument {
  uint8_t kind; /* tegula_argument_kind */
  uint8_t type; /* tegula_dtype */
  union {
    uint64_t integer; /* in two's complement, or an address */
    double floating;
  } of;
} tegula_argument;

/* Lets a program give up a launch on the emulator or the interpreter, which run kernels before they return: they ask
 * `check(context)` some fifty times a second, on the thread that launches, and where it says true the launch ends with
 * TEGULA_INTERRUPTED. What the kernel had written by then stays written, and the device can be used further. `check` must
 * not call the library. Null ends the questions. */
TEGULA_C_API tegula_error *tegula_set_interrupt_check(bool (*check)(void *context), void *context);

/* From now on a launch must find its kernel loaded: to compile, to tune or to load one is TEGULA_FROZEN, with the kernel and
 * what it would have been made for; nothing is unloaded. TEGULA_FROZEN=1 in the environment freezes from the beginning; then
 * `tegula_load_kernels_of_bundles` is the way to load. `tegula_thaw` ends it. */
TEGULA_C_API void tegula_freeze(void);
TEGULA_C_API void tegula_thaw(void);
TEGULA_C_API bool tegula_is_frozen(void);

/*===--- bundles -----------------------------------------------------------------------------===*/

/* A file of kernels that `tegula bundle` compiled; it is mapped, and an entry is read when it is first needed. */
typedef struct tegula_bundle tegula_bundle;
/* TEGULA_INVALID_ARGUMENT where it is no bundle, is damaged, or of another version of Tegula. */
TEGULA_C_API tegula_error *tegula_bundle_open(const char *path, tegula_bundle **bundle);
TEGULA_C_API void tegula_bundle_close(tegula_bundle *bundle);
/* The names of its kernels, sorted. */
TEGULA_C_API size_t tegula_bundle_kernel_count(const tegula_bundle *bundle);
TEGULA_C_API const char *tegula_bundle_kernel_name(const tegula_bundle *bundle, size_t index);
/* Loads all variants of all its kernels for the best architecture that `device` runs, and gives their number: for before
 * `tegula_freeze`, or before a stream is captured. Kernels that are not compiled for the device are left out. */
TEGULA_C_API tegula_error *tegula_bundle_load_kernels(tegula_bundle *bundle, tegula_device *device, size_t *count);
/* Queues a launch of the kernel `name`, as `tegula_kernel_launch` does. Of its variants the first whose facts hold of the
 * arguments is taken, those that rely on the most coming first. TEGULA_INVALID_ARGUMENT where none takes them, with the
 * reason of each; TEGULA_UNAVAILABLE where none is for the device. */
TEGULA_C_API tegula_error *tegula_bundle_launch(tegula_bundle *bundle, const char *name, tegula_device *device,
                                                const uint32_t grid[3], const tegula_argument *arguments,
                                                size_t count, void *stream);

/* The device on which this thread launches linked kernels; null is the one that TEGULA_DEVICE names, opened when it is
 * needed. It stays the caller's, and must live as long as it is used. */
TEGULA_C_API tegula_error *tegula_use_device(tegula_device *device);

/* A kernel of a bundle that is linked into the program, as the functions of a header of `tegula bundle --c` have it. */
typedef struct tegula_linked_kernel {
  const char *begin, *end; /* of the bundle */
  const char *name;
  void *state; /* null at first; the library's */
} tegula_linked_kernel;
/* Launches it on the device of this thread. */
TEGULA_C_API tegula_error *tegula_launch_linked(tegula_linked_kernel *kernel, void *stream, const uint32_t grid[3],
                                                const tegula_argument *arguments, size_t count);

/* Elements of an array of arguments, in C and in C++. */
#define TEGULA_BOOL_ARGUMENT(value) tegula_integer_argument(TEGULA_ARG_BOOL, TEGULA_UNTYPED, (value) ? 1 : 0)
#define TEGULA_INT_ARGUMENT(value) tegula_integer_argument(TEGULA_ARG_INT, TEGULA_UNTYPED, (uint64_t)(int64_t)(value))
#define TEGULA_UINT_ARGUMENT(value) \
  tegula_integer_argument((value) > INT64_MAX ? TEGULA_ARG_UINT : TEGULA_ARG_INT, TEGULA_UNTYPED, (value))
#define TEGULA_POINTER_ARGUMENT(address, dtype) \
  tegula_integer_argument(TEGULA_ARG_POINTER, dtype, (uint64_t)(uintptr_t)(address))
#define TEGULA_FLOAT_ARGUMENT(value) tegula_float_argument(value)

static inline tegula_argument tegula_integer_argument(int kind, int type, uint64_t bits) {
  tegula_argument argument;
  argument.kind = (uint8_t)kind;
  argument.type = (uint8_t)type;
  argument.of.integer = bits;
  return argument;
}
static inline tegula_argument tegula_float_argument(double value) {
  tegula_argument argument;
  argument.kind = TEGULA_ARG_FLOAT;
  argument.type = TEGULA_UNTYPED;
  argument.of.floating = value;
  return argument;
}

#ifdef __cplusplus
}
#endif
#endif
