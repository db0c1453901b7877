/* Tegula's C ABI: compile kernels written in the Triton language, launch them, look at what was made.
 *
 *     tegula_program *program;
 *     tegula_error *error = tegula_program_load("vector_add.py", &program);
 *     if (error) { fputs(tegula_error_text(error), stderr); tegula_error_free(error); ... }
 *
 * Errors. A function that can fail returns a `tegula_error *`: null for success, else an object that the
 * caller frees. Where it fails it has changed nothing that its outputs point to. No C++ exception comes
 * through, and no input ends the process.
 *
 * Ownership. What a function hands out through `T **` belongs to the caller, who gives it back with the
 * `_free` or `_close` of its type; null is given back without effect. Handles keep alive what they need: a
 * kernel its program, a variant its device. A `const char *` or an array that a function returns belongs to
 * the object it was asked of and lives as long. What a caller passes in is copied before the function
 * returns, but for the contexts of host functions.
 *
 * Threads. Every function may be called from any thread; objects other than builders may be shared.
 *
 * Versions. Structs that a caller fills begin with their size, so that later versions can add fields:
 * zero the struct, set `size`, then what is needed. A zeroed field means the default. Symbols carry the
 * version `TEGULA_C_1`; functions are added, never changed.
 */
#ifndef TEGULA_C_H
#define TEGULA_C_H

#include "tegula_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A text that changes with every build of the compiler: what a cache key must hold. */
TEGULA_C_API const char *tegula_build_id(void);

/* A version of Triton that a compilation may imitate. */
typedef struct tegula_triton_version {
  const char *name; /* "3.8" */
  const char *full; /* "3.8.0", as `triton.__version__` says it */
} tegula_triton_version;
/* All versions, the oldest first, which is the default. */
TEGULA_C_API const tegula_triton_version *tegula_triton_versions(size_t *count);

/* An architecture that can be compiled for, and what compute capability it is. */
typedef struct tegula_architecture {
  const char *name; /* "sm_90a" */
  uint32_t compute_major, compute_minor;
} tegula_architecture;
/* All architectures, the oldest first. */
TEGULA_C_API const tegula_architecture *tegula_architectures(size_t *count);

/*===--- diagnostics -------------------------------------------------------------------------===*/

typedef enum tegula_severity { TEGULA_NOTE = 0, TEGULA_WARNING, TEGULA_ERROR } tegula_severity;

/* A message about a place in a source. Texts are never null, but may be empty. */
typedef struct tegula_diagnostic {
  tegula_severity severity;
  const char *message;         /* lower case, no full stop */
  const char *file;            /* empty when the message is about no file */
  uint32_t line;               /* from 1; 0 when about no line */
  uint32_t column, end_column; /* from 1, in code points; end_column is one past the last marked */
  const char *source_line;
  const char *help; /* how to mend it */
  const struct tegula_diagnostic *notes;
  size_t note_count;
} tegula_diagnostic;

/* The diagnostics of TEGULA_COMPILE, where it is about a source, else none. */
TEGULA_C_API const tegula_diagnostic *tegula_error_diagnostics(const tegula_error *error, size_t *count);

/*===--- settings of the process -------------------------------------------------------------===*/

/* The folder that keeps what this process compiles and assembles for the next one, which `tegula cache`
 * manages: "" keeps nothing, null is what TEGULA_CACHE_DIR says, which holds until this is called. A folder
 * that cannot be used is no error: a warning among the messages of a program says so once. Compilations under
 * way may use the one before. */
TEGULA_C_API tegula_error *tegula_set_cache_folder(const char *folder);
/* Folders in which ptxas and nvJitLink are looked for before the places where toolkits are: for a caller that
 * knows of copies. Later calls replace earlier ones. */
TEGULA_C_API tegula_error *tegula_set_assembler_folders(const char *const *folders, size_t count);

/* Offers bytes under `key` for this rank, waits for what the others offer, and gives the offers of all in the order of
 * their ranks, joined: each is its length as eight bytes, the lowest first, and itself. The answer stays valid until the
 * next call. Where a rank does not answer in time: false, with a message of `*answer_bytes` bytes for an answer, which
 * says which. */
typedef bool (*tegula_agree)(void *context, const char *key, const void *offer, size_t offer_bytes,
                             const void **answer, size_t *answer_bytes);
/* Has `tegula_kernel_tune` find one config with the other ranks of a program from now on, `rank` being this process among
 * `world`; a null `agree` ends that. A kernel that communicates is measured by all ranks at a time, and the slowest
 * counts; the configs of any other are divided over them. All ranks tune the same kernels in the same order.
 * `context` is needed until that is ended, and any tuning under way. TEGULA_INVALID_ARGUMENT for a rank that is not below
 * `world`. */
TEGULA_C_API tegula_error *tegula_set_agreement(uint32_t rank, uint32_t world, tegula_agree agree, void *context);

/* Returns whether PTX has accesses or fences of system scope, which is what a kernel that communicates is told by. */
TEGULA_C_API bool tegula_ptx_communicates(const char *ptx);

/*===--- ahead of time -----------------------------------------------------------------------===*/

/* Adds a file of kernels that `tegula bundle` compiled. Before anything is compiled, or looked for in the cache, it is looked
 * for in the bundles: by what a program says and means, wherever its files are. TEGULA_BUNDLE names some from the beginning.
 * TEGULA_INVALID_ARGUMENT where it is no bundle, or one of another version of Tegula. */
TEGULA_C_API tegula_error *tegula_load_bundle(const char *path);
/* Loads all kernels of the bundles that are compiled for `device` there, so that no launch has to, and gives their number. */
TEGULA_C_API tegula_error *tegula_load_kernels_of_bundles(tegula_device *device, size_t *count);

/* Counts since the process began. TEGULA_CACHE_STATS=1 prints each event, with its reason. */
typedef struct tegula_cache_counts {
  size_t size;
  uint64_t compiled, from_disk, from_bundle; /* kernels */
  uint64_t tuned, tuned_before;              /* choices of tuners: measured, and found */
  uint64_t without_maps; /* kernels compiled again because no tensor map describes the arguments of a launch */
} tegula_cache_counts;
TEGULA_C_API void tegula_get_cache_counts(tegula_cache_counts *counts);
/* Counts a choice of a tuner of the caller's, and prints it where TEGULA_CACHE_STATS asks. */
TEGULA_C_API tegula_error *tegula_note_tuned(const char *kernel, const char *config, bool measured);

/* Writes a text under a name into the file of TEGULA_RECORD, where there is one, so that a bundle made of that has it. */
TEGULA_C_API tegula_error *tegula_record_note(const char *name, const char *text);
/* The text that a bundle has under `name`, null where none has it; to be freed with `tegula_text_free`. */
TEGULA_C_API tegula_error *tegula_bundle_note(const char *name, char **text);

/*===--- programs ----------------------------------------------------------------------------===*/

/* One or several sources of kernels, parsed once, with what was compiled from them and loaded. */
typedef struct tegula_program tegula_program;

/* A file. Mistakes in its text come back from what compiles it. The modules that it imports are read, never run, when a
 * kernel needs them: from the folder of the file and the packages that it is in. */
TEGULA_C_API tegula_error *tegula_program_load(const char *path, tegula_program **program);
/* The same from text; `name` stands for the path in messages. Nothing that it imports is known. */
TEGULA_C_API tegula_error *tegula_program_parse(const char *name, const char *text, size_t bytes,
                                                tegula_program **program);
/* The same with folders in which imported modules are looked for, in this order; of a file after its own
 * places. */
TEGULA_C_API tegula_error *tegula_program_load_with_imports(const char *path, const char *const *folders,
                                                            size_t count, tegula_program **program);
TEGULA_C_API tegula_error *tegula_program_parse_with_imports(const char *name, const char *text, size_t bytes,
                                                             const char *const *folders, size_t count,
                                                             tegula_program **program);
TEGULA_C_API void tegula_program_free(tegula_program *program);

/* What a name of a source means, where the host language has run already and knows. */
typedef enum tegula_value_kind {
  TEGULA_VALUE_NONE = 0,
  TEGULA_VALUE_BOOL,      /* integer: 0 or 1 */
  TEGULA_VALUE_INT,       /* integer */
  TEGULA_VALUE_UINT,      /* integer, past INT64_MAX, as unsigned */
  TEGULA_VALUE_FLOAT,     /* floating */
  TEGULA_VALUE_STRING,    /* text */
  TEGULA_VALUE_DTYPE,     /* text: the type's spelling in signatures: "fp32", "*bf16" */
  TEGULA_VALUE_TUPLE,     /* elements; with `names` a named tuple, whose type is called `text` */
  TEGULA_VALUE_LIST,      /* elements */
  TEGULA_VALUE_DICT,      /* elements by `names` */
  TEGULA_VALUE_FUNCTION,  /* a jit function: `integer` is its source, `text` its name there */
  TEGULA_VALUE_LANGUAGE,  /* what the language has under this dotted name: text, "triton.language.math.exp" */
  TEGULA_VALUE_NAMESPACE, /* a module or an object: elements by `names`, what is used of it; messages call
                           * it `text`: "module `config`" */
  TEGULA_VALUE_HOST_FUNCTION, /* called while compiling with known values: `call`, `context`; text: its name
                               */
  TEGULA_VALUE_UNKNOWN,       /* an error at its use, which calls it `text`: "a torch.Tensor" */
} tegula_value_kind;

typedef struct tegula_value tegula_value;

/* Computes `*result` (whose texts and elements stay valid until the next call with this context) or returns
 * false and leaves a message there as a string. Keyword arguments come last and are named in `names`, where
 * those of the others are null. Called from any thread, as long as a program whose names mean the function, a
 * kernel or a variant of it lives, while one compiles: so long `context` is needed, which
 * `tegula_builder_own` can see to. A kernel is kept on disk by what its calls gave, so that a function may
 * depend on anything. */
typedef bool (*tegula_host_call)(void *context, const tegula_value *arguments, const char *const *names,
                                 size_t count, tegula_value *result);

struct tegula_value {
  uint8_t kind;         /* tegula_value_kind */
  uint8_t is_constexpr; /* bound as `tl.constexpr`: only such names may be used within a kernel */
  uint32_t count;       /* of elements */
  union {
    int64_t integer;
    double floating;
    const tegula_value *elements;
    tegula_host_call call;
  } of;
  const char *text;
  const char *const *names;
  void *context;
};

/* Collects sources and what their names mean. Not shared between threads. */
typedef struct tegula_builder tegula_builder;
TEGULA_C_API tegula_builder *tegula_builder_create(void);
TEGULA_C_API void tegula_builder_free(tegula_builder *builder);
/* Adds a source and gives its number. `first_line` is where its text begins in the file `path` (from 1; 0 if
 * the text's first line is put in front of the file's): messages and line tables say that. The text may be
 * indented as a whole. */
TEGULA_C_API tegula_error *tegula_builder_add_source(tegula_builder *builder, const char *path,
                                                     const char *text, size_t bytes, uint32_t first_line,
                                                     uint32_t *source);
/* Says what `name`, which the source itself does not define, means in it. A name that is bound to nothing is
 * one of Python's own or an error at its use. */
TEGULA_C_API tegula_error *tegula_builder_bind(tegula_builder *builder, uint32_t source, const char *name,
                                               const tegula_value *value);
/* Makes `context`, of one or several host functions, the library's to give back: `release(context)` is called
 * once, when the builder is freed and with it all programs, kernels and variants that came of it, by the
 * thread that frees the last of them. Several contexts are released in the reverse order. Where this fails
 * `context` stays the caller's. */
TEGULA_C_API tegula_error *tegula_builder_own(tegula_builder *builder, void *context,
                                              void (*release)(void *context));
/* The program: `entry` is the source whose kernels it offers. The builder stays usable. */
TEGULA_C_API tegula_error *tegula_builder_finish(tegula_builder *builder, uint32_t entry,
                                                 tegula_program **program);

/* The kernels of a program, in the order of its text. */
TEGULA_C_API size_t tegula_program_kernel_count(const tegula_program *program);
TEGULA_C_API const char *tegula_program_kernel_name(const tegula_program *program, size_t index);

/* Hands each warning and static print of the compilations since the last call to `take`. */
TEGULA_C_API void tegula_program_take_messages(tegula_program *program,
                                               void (*take)(void *context, const tegula_diagnostic *message),
                                               void *context);

/*===--- kernels -----------------------------------------------------------------------------===*/

/* A kernel with its compile-time values and options fixed, and the variants made of it so far. */
typedef struct tegula_kernel tegula_kernel;

typedef struct tegula_named_value {
  const char *name;
  tegula_value value;
} tegula_named_value;

/* The most warps of a kernel and the most stages of its loops. */
#define TEGULA_MAX_WARPS 32
#define TEGULA_MAX_STAGES 32

/* A file of LLVM bitcode whose functions a kernel calls by `tl.core.extern_elementwise`. */
typedef struct tegula_extern_library {
  const char *name; /* in messages */
  const char *path;
} tegula_extern_library;

typedef struct tegula_kernel_options {
  size_t size;
  const char *name;                      /* null: the only kernel that no other of the program calls */
  const tegula_named_value *constexprs;  /* values of parameters: of any kind but TEGULA_VALUE_HOST_FUNCTION. Of a jit
                                          * function `integer` is the number of its source in the builder, 0 for the file
                                          * of a program without one */
  size_t constexpr_count;
  uint32_t num_warps;                    /* 0, here as below, says nothing: what a heuristic of the kernel gives, or 4 */
  uint32_t num_stages;                   /* 0: what a heuristic of the kernel gives, or 3; 1 pipelines nothing */
  uint32_t max_registers;                /* of a thread; 0: what the compiler asks for */
  bool debug;                            /* device_assert and overflow checks of integers stay */
  bool no_fp_fusion;                     /* no multiply-add of what the source writes as two operations */
  const char *arch;                      /* null: that of the device */
  bool launch_cooperative_grid;          /* all programs run at once, or the launch is refused */
  bool launch_pdl;                       /* may begin before the kernel in front of it on the stream has ended */
  const char *without;                   /* features not to be used, as `tegula compile --without` lists them: "wgmma";
                                          * null: what TEGULA_WITHOUT says */
  bool no_overflow_checks;               /* of `debug` device_assert alone */
  const char *triton_version;            /* whose meaning the source has where versions differ: "3.8", as
                                          * `tegula_triton_versions` lists them; null: what TEGULA_TRITON_VERSION says */
  const char *dot_precision;             /* of `tl.dot` where it is told no `input_precision`: "ieee"; null: "tf32" */
  uint32_t num_ctas;                     /* blocks of a cluster that share the loop of each program which adds up
                                          * products: 2, 4 or 8; 0 and 1: as many as a launch finds best */
  const tegula_extern_library *extern_libs; /* searched in this order */
  size_t extern_lib_count;
} tegula_kernel_options;

TEGULA_C_API tegula_error *tegula_kernel_create(tegula_program *program, const tegula_kernel_options *options,
                                                tegula_kernel **kernel);
TEGULA_C_API void tegula_kernel_free(tegula_kernel *kernel);

/* A parameter that a launch gives: one without a compile-time value. */
typedef struct tegula_parameter {
  const char *name;
  const char *type; /* what its annotation names ("i64"), or empty */
  bool has_default;
  bool do_not_specialize;
  bool do_not_specialize_on_alignment;
} tegula_parameter;
TEGULA_C_API const tegula_parameter *tegula_kernel_parameters(const tegula_kernel *kernel, size_t *count);

/* Queues a launch of `grid` programs on `stream`, a CUstream of the device's primary context, null for the
 * default stream. `arguments` are those of `tegula_kernel_parameters`, in order; at the end those with
 * defaults may be missing. The first launch with facts that no variant has compiles one; every other
 * allocates nothing. A grid with a zero side launches nothing, as in Triton (in C++ it is an error). */
TEGULA_C_API tegula_error *tegula_kernel_launch(tegula_kernel *kernel, tegula_device *device,
                                                const uint32_t grid[3], const tegula_argument *arguments,
                                                size_t count, void *stream);

/* Refuses, as TEGULA_FROZEN, a launch whose variant is still to be compiled or loaded while `stream` is captured into a CUDA
 * graph: a driver that loads a module ends the capture. `tegula_kernel_launch` asks this itself. */
TEGULA_C_API tegula_error *tegula_kernel_may_prepare(tegula_kernel *kernel, tegula_device *device,
                                                     const tegula_argument *arguments, size_t count,
                                                     void *stream);

/* The same where the variant is there already: `*variant` gets an address that stands for it, which is the
 * same for the same variant as long as the kernel lives, or null where it is still to be compiled (or would
 * only fail); then nothing was launched. Without a `grid` nothing is launched either way. Never compiles,
 * allocates nothing. */
TEGULA_C_API tegula_error *tegula_kernel_launch_ready(tegula_kernel *kernel, tegula_device *device,
                                                      const uint32_t grid[3],
                                                      const tegula_argument *arguments, size_t count,
                                                      void *stream, const void **variant);

/* The types of the parameters in a variant for these arguments, in the spelling of signatures ("*fp32:16",
 * "i32=1", "none"), one on each line; the line of a parameter that keeps its default, or whose compile-time
 * value is no integer, is empty. To be freed with `tegula_text_free`. */
TEGULA_C_API tegula_error *tegula_kernel_types(tegula_kernel *kernel, const tegula_argument *arguments,
                                               size_t count, char **types);

/* The number of `triton.Config`s that `triton.autotune` gives the kernel; 0 without one. */
TEGULA_C_API tegula_error *tegula_kernel_config_count(const tegula_kernel *kernel, size_t *count);
/* Another kernel: this one with the compile-time values, warps and stages of its `index`-th config, from 0. Compile-time
 * values that were set before stay. TEGULA_INVALID_ARGUMENT where there are not so many. */
TEGULA_C_API tegula_error *tegula_kernel_with_config(const tegula_kernel *kernel, size_t index, tegula_kernel **configured);
/* Gets the compile-time value of an integer parameter, of a config too; false where it has none, or another. */
TEGULA_C_API bool tegula_kernel_constant(const tegula_kernel *kernel, const char *name, int64_t *value);

/* Measures the configs on `device` with these arguments, and gives the number of the fastest, for
 * `tegula_kernel_with_config`. `grid` is asked for the grid of each, a kernel that lives as long as the call. The kernel is
 * launched many times: what it adds to its arrays it adds as often. Together with other ranks where
 * `tegula_set_agreement` says so. TEGULA_INVALID_ARGUMENT where there are no configs or a grid is empty,
 * TEGULA_OUT_OF_RESOURCES where none of them can be used. */
TEGULA_C_API tegula_error *tegula_kernel_tune(tegula_kernel *kernel, tegula_device *device,
                                              void (*grid)(void *context, const tegula_kernel *configured, uint32_t sides[3]),
                                              void *context, const tegula_argument *arguments, size_t count, size_t *config);

/* Estimates a launch on `grid` by a model of the device, from what the front end makes of the kernel: in a few milliseconds, and
 * without making code. `*cycles` tells configs of one kernel apart, and no time: it is infinite where no block fits on
 * the device, and not a number where the model cannot tell. `*terms`, which may be null, gets what it is made of as JSON,
 * or in `unknown` why there is nothing; to be freed with `tegula_text_free`. */
TEGULA_C_API tegula_error *tegula_kernel_estimate(tegula_kernel *kernel, tegula_device *device,
                                                  const uint32_t grid[3], const tegula_argument *arguments,
                                                  size_t count, double *cycles, char **terms);

/*===--- variants ----------------------------------------------------------------------------===*/

/* A kernel compiled for facts about its arguments, and loaded on a device. */
typedef struct tegula_variant tegula_variant;

/* The variant that a launch with these arguments uses: compiled and loaded now where it is not yet. */
TEGULA_C_API tegula_error *tegula_kernel_prepare(tegula_kernel *kernel, tegula_device *device,
                                                 const tegula_argument *arguments, size_t count,
                                                 tegula_variant **variant);
/* The same from the types of the parameters, in the spelling of signatures ("*fp32:16", "i32:16+", "i32=1",
 * "none"). Without a device it is compiled for the options' `arch` and not loaded: its stages can be asked
 * for. */
TEGULA_C_API tegula_error *tegula_kernel_prepare_typed(tegula_kernel *kernel, tegula_device *device,
                                                       const char *const *types, size_t count,
                                                       tegula_variant **variant);
/* Both, with a say in what the code of the variant, and with it profilers, call the kernel: `entry`, null for
 * the name in the source. It holds where the variant is compiled now. */
TEGULA_C_API tegula_error *tegula_kernel_prepare_as(tegula_kernel *kernel, tegula_device *device,
                                                    const tegula_argument *arguments, size_t count,
                                                    const char *entry, tegula_variant **variant);
TEGULA_C_API tegula_error *tegula_kernel_prepare_typed_as(tegula_kernel *kernel, tegula_device *device,
                                                          const char *const *types, size_t count,
                                                          const char *entry, tegula_variant **variant);
/* The kernel whose stage "ptx" this is, of this process or another, loaded on a device; a launch takes the
 * arguments of the PTX's parameters. `code`, which may be null, is its machine code, so that nothing is
 * assembled. It has these two stages alone. */
TEGULA_C_API tegula_error *tegula_variant_load(tegula_device *device, const char *ptx, size_t ptx_bytes,
                                               const char *code, size_t code_bytes, tegula_variant **variant);
TEGULA_C_API void tegula_variant_free(tegula_variant *variant);

typedef struct tegula_variant_properties {
  size_t size;
  const char *kernel; /* name in the source */
  const char *entry;  /* name in the PTX */
  const char *arch;
  uint32_t num_warps, num_stages;
  uint32_t shared_bytes;
  uint32_t registers, spill_bytes; /* of a thread; 0 where nothing was assembled */
  uint32_t programs_per_block;
  void *function; /* the CUfunction, null on other devices */
  uint32_t
      implicit_arguments; /* behind the kernel's: what a launch fills in, which others who launch it cannot */
  uint32_t threads;                   /* of a block; more than 32 * num_warps where some warps only load */
  uint32_t blocks_per_multiprocessor; /* of a persistent kernel; 0 where the grid says how many blocks there are */
  void *module;                       /* the CUmodule with the function, null on other devices */
} tegula_variant_properties;
TEGULA_C_API void tegula_variant_get_properties(const tegula_variant *variant,
                                                tegula_variant_properties *properties);

/* Launches exactly this variant: for callers that keep it and know that its facts hold. */
TEGULA_C_API tegula_error *tegula_variant_launch(tegula_variant *variant, const uint32_t grid[3],
                                                 const tegula_argument *arguments, size_t count,
                                                 void *stream);

/* The text of a stage ("tile", "distributed", "scheduled", "llvm", "llvmir", "ptx"), or the machine code
 * ("cubin"), `bytes` long and followed by a zero byte; made when it is first asked for. */
TEGULA_C_API tegula_error *tegula_variant_stage(tegula_variant *variant, const char *stage, const char **text,
                                                size_t *bytes);

/*===--- a fabric ----------------------------------------------------------------------------===*/

/* Several emulated devices with one address space, whose kernels run together and signal to each other, and
 * the host programs of their ranks in one process. What kernels of two ranks do to memory that they share
 * must be ordered by signals of scope `sys`; otherwise a launch, or `tegula_fabric_run`, is TEGULA_FAULT,
 * with both lines and what is missing. */
typedef struct tegula_fabric tegula_fabric;

typedef struct tegula_fabric_options {
  size_t size;
  uint32_t world;           /* devices, 1 to 64 */
  uint64_t resident_blocks; /* that a device runs at once at most; 0: as many as fit */
} tegula_fabric_options;

TEGULA_C_API tegula_error *tegula_fabric_create(const tegula_fabric_options *options, tegula_fabric **fabric);
/* Devices of the fabric keep it. */
TEGULA_C_API void tegula_fabric_close(tegula_fabric *fabric);
/* The device of a rank. */
TEGULA_C_API tegula_error *tegula_fabric_get_device(tegula_fabric *fabric, uint32_t rank,
                                                    tegula_device **device);
/* Calls `host(context, rank)` for every rank, on threads of its own of which one runs at a time: each goes on
 * until it waits for its device, as a copy or `tegula_device_synchronize` does, or for all ranks, or ends.
 * `seed` picks the turns; 0 is the natural order. A host that returns false ends all others: their waits and
 * launches fail from then on. Then, and after a fault, `*culprit` is the rank with the error. With `check_pads`
 * words of pads that are not zero in the end are a fault. */
TEGULA_C_API tegula_error *tegula_fabric_run(tegula_fabric *fabric, uint64_t seed, bool check_pads,
                                             bool (*host)(void *context, uint32_t rank), void *context,
                                             uint32_t *culprit);
/* Lets all ranks touch memory of the host, until `tegula_fabric_run` ends: rank `rank`'s part of array number
 * `number`, with `is_pad` of a pad of signals. */
TEGULA_C_API tegula_error *tegula_fabric_share(tegula_fabric *fabric, uint32_t rank, uint32_t number,
                                               void *memory, size_t bytes, bool is_pad);
/* In a host: waits until all ranks call this. With `orders` all that devices do behind it comes after what
 * they did in front of it, as behind a barrier on their streams. */
TEGULA_C_API tegula_error *tegula_fabric_meet(tegula_fabric *fabric, bool orders);

/*===--- assembling --------------------------------------------------------------------------===*/

/* PTX to machine code for `arch` by a ptxas, nvJitLink or the driver, whichever is found first; without any
 * TEGULA_UNAVAILABLE. `*bytes` is freed with `tegula_text_free`. */
TEGULA_C_API tegula_error *tegula_assemble(const char *ptx, size_t ptx_bytes, const char *arch, char **code,
                                           size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
