// Lets binaries that are linked on a machine with a new glibc run with an older one, 2.28 and later.
//
// The linker binds a function to the newest version that glibc has of it, though older ones do the same. What has
// moved or got another version since 2.28 is bound to its old version here, through the linker's `--wrap`; what
// came later is defined here, hidden. `tools/check/symbols.py` reads in the result that nothing newer is left, and
// the list of wrapped names in `CMakeLists.txt` must be the one of this file.
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#define SINCE(version) version
#define JUMP(symbol) "jmp *" symbol "@GOTPCREL(%rip)"
#define TYPE "@function"
#elif defined(__aarch64__)
// The architecture came with glibc 2.17: whatever is older has that version.
#define OLDEST "GLIBC_2.17"
#define SINCE(version) OLDEST
#define JUMP(symbol) "b " symbol
#define TYPE "%function"
#else
#error "this architecture's oldest version of glibc is not known here"
#endif

#define HIDDEN __attribute__((visibility("hidden")))

/// The function `name` is what glibc had as `name` in `version`.
#define BIND_TO(name, version)                                                                               \
  __asm__(".symver old_" #name ", " #name "@" version "\n"                                                   \
          ".text\n.globl __wrap_" #name "\n.hidden __wrap_" #name "\n.type __wrap_" #name ", " TYPE "\n"     \
          "__wrap_" #name ":\n  " JUMP("old_" #name) "\n");
#define BIND(name) BIND_TO(name, OLDEST)

// New versions in 2.29: without the wrappers that set errno by `_LIB_VERSION`.
BIND(exp)
BIND(exp2)
BIND(log)
BIND(log2)
BIND(pow)

// Moved to libc in 2.32 and 2.34. Before, they were in libpthread and libdl, which are linked by name for that.
BIND(dladdr)
BIND(dlclose)
BIND(dlerror)
BIND(dlopen)
BIND(dlsym)
BIND(pthread_attr_getstacksize)
BIND(pthread_attr_setstacksize)
BIND(pthread_create)
BIND(pthread_join)
BIND(pthread_detach)
BIND(pthread_getspecific)
BIND(pthread_key_create)
BIND(pthread_key_delete)
BIND(pthread_once)
BIND(pthread_rwlock_rdlock)
BIND(pthread_rwlock_unlock)
BIND(pthread_rwlock_wrlock)
BIND(pthread_setspecific)
BIND(pthread_sigmask)
BIND(__pthread_key_create)
BIND_TO(pthread_getname_np, SINCE("GLIBC_2.12"))
BIND_TO(pthread_setname_np, SINCE("GLIBC_2.12"))
BIND_TO(pthread_getattr_default_np, "GLIBC_2.18")
BIND_TO(pthread_setattr_default_np, "GLIBC_2.18")

// Functions of their own since 2.33. Before, headers called these.
#if defined(__x86_64__)
enum { StatVersion = 1 };
#else
enum { StatVersion = 0 };
#endif
int old_fxstat(int version, int file, struct stat *into);
int old_xstat(int version, const char *path, struct stat *into);
int old_lxstat(int version, const char *path, struct stat *into);
int old_fxstatat(int version, int folder, const char *path, struct stat *into, int flags);
__asm__(".symver old_fxstat, __fxstat@" OLDEST);
__asm__(".symver old_xstat, __xstat@" OLDEST);
__asm__(".symver old_lxstat, __lxstat@" OLDEST);
__asm__(".symver old_fxstatat, __fxstatat@" SINCE("GLIBC_2.4"));

HIDDEN int __wrap_fstat(int file, struct stat *into) { return old_fxstat(StatVersion, file, into); }
HIDDEN int __wrap_stat(const char *path, struct stat *into) { return old_xstat(StatVersion, path, into); }
HIDDEN int __wrap_lstat(const char *path, struct stat *into) { return old_lxstat(StatVersion, path, into); }
HIDDEN int __wrap_fstatat(int folder, const char *path, struct stat *into, int flags) {
  return old_fxstatat(StatVersion, folder, path, into, flags);
}
// `off_t` has 64 bits on both architectures, so the two structs are one.
HIDDEN int __wrap_fstat64(int file, struct stat *into) { return old_fxstat(StatVersion, file, into); }
HIDDEN int __wrap_stat64(const char *path, struct stat *into) { return old_xstat(StatVersion, path, into); }

/// Says whether the process has one thread, since 2.32: libstdc++ counts references without atomics then. It
/// is never so here.
HIDDEN char __libc_single_threaded = 0;

/// Since 2.33. The counts of the old function have 32 bits; LLVM prints them at most.
HIDDEN struct mallinfo2 __wrap_mallinfo2(void) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const struct mallinfo old = mallinfo();
#pragma GCC diagnostic pop
  return (struct mallinfo2){.arena = (unsigned)old.arena,
                            .ordblks = (unsigned)old.ordblks,
                            .smblks = (unsigned)old.smblks,
                            .hblks = (unsigned)old.hblks,
                            .hblkhd = (unsigned)old.hblkhd,
                            .usmblks = (unsigned)old.usmblks,
                            .fsmblks = (unsigned)old.fsmblks,
                            .uordblks = (unsigned)old.uordblks,
                            .fordblks = (unsigned)old.fordblks,
                            .keepcost = (unsigned)old.keepcost};
}

/// Since 2.36. LLVM takes numbers for the names of temporary files from it.
HIDDEN uint32_t __wrap_arc4random(void) {
  uint32_t number = 0;
  unsigned char *bytes = (unsigned char *)&number;
  for (size_t done = 0; done < sizeof number;) {
    const ssize_t more = getrandom(bytes + done, sizeof number - done, 0);
    if (more > 0)
      done += (size_t)more;
    else if (errno != EINTR)
      return (uint32_t)(uintptr_t)&number ^ (uint32_t)clock(); // a kernel without it: names are tried anew
  }
  return number;
}

/// Since 2.30. Waiting by the clock of the condition, with a deadline moved from `clock` to it.
HIDDEN int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                         const struct timespec *until) {
  struct timespec now, there;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &there);
  enum { Second = 1000000000 };
  int64_t nanoseconds = (int64_t)there.tv_nsec + until->tv_nsec - now.tv_nsec;
  int64_t seconds = (int64_t)there.tv_sec + until->tv_sec - now.tv_sec;
  seconds += nanoseconds / Second, nanoseconds %= Second;
  if (nanoseconds < 0)
    --seconds, nanoseconds += Second;
  const struct timespec deadline = {seconds, nanoseconds};
  return pthread_cond_timedwait(condition, mutex, &deadline);
}

/// Argument and result of `findObject`.
struct Search {
  uintptr_t address;
  struct dl_find_object *found;
};

static int findIn(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct Search *search = data;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  const ElfW(Phdr) *frames = NULL;
  int isInside = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    const uintptr_t from = info->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;
    if (segment->p_type == PT_GNU_EH_FRAME)
      frames = segment;
    if (segment->p_type != PT_LOAD)
      continue;
    begin = from < begin ? from : begin;
    end = to > end ? to : end;
    isInside |= from <= search->address && search->address < to;
  }
  if (!isInside || !frames)
    return isInside;
  memset(search->found, 0, sizeof *search->found);
  search->found->dlfo_map_start = (void *)begin;
  search->found->dlfo_map_end = (void *)end;
  search->found->dlfo_eh_frame = (void *)(info->dlpi_addr + frames->p_vaddr);
  return 2;
}

/// Since 2.35: the object of the process with `address`. The unwinder of libgcc asks it for each frame.
HIDDEN int __wrap__dl_find_object(void *address, struct dl_find_object *found) {
  struct Search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(findIn, &search) == 2 ? 0 : -1;
}

#ifdef TEGULA_PORTABLE_EXECUTABLE
/// The start of a program before 2.34, which leaves the program's own constructors to the program.
typedef int Main(int, char **, char **);
typedef void Constructor(int, char **, char **);
int old_libc_start_main(Main *program, int count, char **arguments, Constructor *begin, void (*end)(void),
                        void (*unload)(void), void *stack);
__asm__(".symver old_libc_start_main, __libc_start_main@" OLDEST);

extern Constructor *const __init_array_start[] HIDDEN, *const __init_array_end[] HIDDEN;
extern void (*const __fini_array_start[])(void) HIDDEN, (*const __fini_array_end[])(void) HIDDEN;

static void construct(int count, char **arguments, char **environment) {
  for (Constructor *const *one = __init_array_start; one != __init_array_end; ++one)
    (*one)(count, arguments, environment);
}

static void destroy(void) {
  for (void (*const *one)(void) = __fini_array_end; one != __fini_array_start;)
    (*--one)();
}

HIDDEN int __wrap___libc_start_main(Main *program, int count, char **arguments, Constructor *begin,
                                    void (*end)(void), void (*unload)(void), void *stack) {
  (void)begin, (void)end;
  return old_libc_start_main(program, count, arguments, construct, destroy, unload, stack);
}
#endif
