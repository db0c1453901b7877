// A driver that has no device behind it: it writes down what it is asked and fails where it is told.
// With FAKE_WITHOUT_LAUNCH it lacks `cuLaunchKernel`, as a driver too old would; with FAKE_WITHOUT_ATTRIBUTES
// `cuLaunchKernelEx` and `cuTensorMapEncodeTiled`, as one that is old and good enough.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static char calls[65536];
static void *lastStream;
static int registers = 40;
static char failing[64];
static int failingCode;
static int deviceCount = 1;
static void *current;
static int contextTag, moduleTag, functionTag, linkTag;
static char failingLog[256];
static int capabilityMajor = 9, capabilityMinor = 0;
static int capturing;
static int readsParameters = 1;

EXPORT void fakeReset(void) {
  calls[0] = 0;
  failing[0] = 0;
  failingLog[0] = 0;
  failingCode = 0;
  deviceCount = 1;
  current = NULL;
  lastStream = NULL;
  registers = 40;
  capturing = 0;
  capabilityMajor = 9;
  capabilityMinor = 0;
}
/// Sets the registers that kernels need from now on, of a thread.
EXPORT void fakeRegisters(int count) { registers = count; }
/// Says whether parameters that a launch passes one by one are read: the tests of this folder have five.
EXPORT void fakeReadsParameters(int reads) { readsParameters = reads; }
/// Says whether streams are captured into a graph from now on.
EXPORT void fakeCapturing(int status) { capturing = status; }
/// Not written down: it may be asked before any launch.
EXPORT int cuStreamIsCapturing(void *stream, int *status) {
  *status = capturing;
  return 0;
}
/// The stream of the last launch.
EXPORT void *fakeLastStream(void) { return lastStream; }
/// Every call of `symbol` returns `code` from now on.
EXPORT void fakeFail(const char *symbol, int code) {
  snprintf(failing, sizeof failing, "%s", symbol);
  failingCode = code;
}
/// Sets the log of a link that fails.
EXPORT void fakeLog(const char *text) { snprintf(failingLog, sizeof failingLog, "%s", text); }
EXPORT void fakeDeviceCount(int count) { deviceCount = count; }
EXPORT void fakeCapability(int major, int minor) {
  capabilityMajor = major;
  capabilityMinor = minor;
}
EXPORT void fakeCurrent(void *context) { current = context; }
EXPORT void *fakeGetCurrent(void) { return current; }
/// One line for each call since the reset.
EXPORT const char *fakeCalls(void) { return calls; }

static int answer(const char *symbol, const char *details) {
  size_t used = strlen(calls);
  snprintf(calls + used, sizeof calls - used, "%s(%s)\n", symbol, details);
  return strcmp(symbol, failing) == 0 ? failingCode : 0;
}

#define SIMPLE(symbol, parameters)                                                                  \
  EXPORT int symbol parameters { return answer(#symbol, ""); }

SIMPLE(cuInit, (unsigned flags))
SIMPLE(cuDevicePrimaryCtxRelease_v2, (int device))
SIMPLE(cuCtxSynchronize, (void))
SIMPLE(cuStreamDestroy_v2, (void *stream))
SIMPLE(cuStreamSynchronize, (void *stream))
SIMPLE(cuEventDestroy_v2, (void *event))
SIMPLE(cuEventRecord, (void *event, void *stream))
SIMPLE(cuEventSynchronize, (void *event))
SIMPLE(cuModuleUnload, (void *module))
SIMPLE(cuMemcpyDtoD_v2, (unsigned long long to, unsigned long long from, size_t bytes))

EXPORT int cuDriverGetVersion(int *version) {
  *version = 12040;
  return answer("cuDriverGetVersion", "");
}
EXPORT int cuGetErrorName(int code, const char **name) {
  switch (code) {
  case 1: *name = "CUDA_ERROR_INVALID_VALUE"; return 0;
  case 2: *name = "CUDA_ERROR_OUT_OF_MEMORY"; return 0;
  case 100: *name = "CUDA_ERROR_NO_DEVICE"; return 0;
  case 218: *name = "CUDA_ERROR_INVALID_PTX"; return 0;
  case 700: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; return 0;
  case 998: *name = "CUDA_ERROR_WITHOUT_TEXT"; return 0;
  }
  return 1;
}
EXPORT int cuGetErrorString(int code, const char **text) {
  if (code == 998)
    return 1;
  *text = code == 700 ? "an illegal memory access was encountered" : "text of the driver";
  return 0;
}
EXPORT int cuDeviceGetCount(int *count) {
  *count = deviceCount;
  return answer("cuDeviceGetCount", "");
}
EXPORT int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return answer("cuDeviceGet", "");
}
EXPORT int cuDeviceGetName(char *name, int bytes, int device) {
  snprintf(name, (size_t)bytes, "Fake %d", device);
  return answer("cuDeviceGetName", "");
}
EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
  switch (attribute) {
  case 1: *value = 1024; break;
  case 5: *value = 2147483647; break;
  case 6:
  case 7: *value = 65535; break;
  case 10: *value = 32; break;
  case 13: *value = 1980000; break;
  case 16: *value = 132; break;
  case 36: *value = 2619000; break;
  case 37: *value = 5120; break;
  case 38: *value = 50 << 20; break;
  case 82: *value = 65536; break;
  case 75: *value = capabilityMajor; break;
  case 76: *value = capabilityMinor; break;
  case 97: *value = 232448; break;
  default: return 1;
  }
  return answer("cuDeviceGetAttribute", "");
}
EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  *bytes = (size_t)1 << 37;
  return answer("cuDeviceTotalMem_v2", "");
}
EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &contextTag;
  return answer("cuDevicePrimaryCtxRetain", "");
}
EXPORT int cuCtxGetCurrent(void **context) {
  *context = current;
  return answer("cuCtxGetCurrent", "");
}
EXPORT int cuCtxSetCurrent(void *context) {
  int code = answer("cuCtxSetCurrent", context == &contextTag ? "ours" : "theirs");
  if (code == 0)
    current = context;
  return code;
}
EXPORT int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  char details[64];
  snprintf(details, sizeof details, "%zu", bytes);
  int code = answer("cuMemAlloc_v2", details);
  if (code == 0)
    *address = (unsigned long long)(size_t)malloc(bytes);
  return code;
}
EXPORT int cuMemFree_v2(unsigned long long address) {
  free((void *)(size_t)address);
  return answer("cuMemFree_v2", "");
}
EXPORT int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  memcpy((void *)(size_t)to, from, bytes);
  return answer("cuMemcpyHtoD_v2", "");
}
EXPORT int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  memcpy(to, (void *)(size_t)from, bytes);
  return answer("cuMemcpyDtoH_v2", "");
}
EXPORT int cuStreamCreate(void **stream, unsigned flags) {
  *stream = &moduleTag;
  return answer("cuStreamCreate", "");
}
EXPORT int cuEventCreate(void **event, unsigned flags) {
  *event = &moduleTag;
  return answer("cuEventCreate", "");
}
EXPORT int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  *milliseconds = 1.5f;
  return answer("cuEventElapsedTime", "");
}
/// Machine code begins as an ELF file does; what follows is shown. Code that says it is foreign is not taken.
EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values) {
  const char *bytes = image;
  int code = answer("cuModuleLoadDataEx", bytes[0] == 0x7f ? bytes + 1 : "");
  if (code == 0 && strcmp(bytes, "\177ELF foreign") == 0)
    code = 209;
  *module = &moduleTag;
  for (unsigned i = 0; i < count && code != 0; ++i) {
    if (options[i] == 3)
      strcpy(values[i], "info : took a while\n");
    if (options[i] == 5)
      strcpy(values[i], "ptxas application ptx input, line 7; error : Unknown symbol 'x'\n\n");
  }
  return code;
}
/// A link is told its options and gives code that tells them.
static char linked[256];
EXPORT int cuLinkCreate_v2(unsigned count, int *options, void **values, void **state) {
  char details[128] = "";
  for (unsigned i = 0; i < count; ++i)
    if (options[i] != 3 && options[i] != 5) {
      size_t used = strlen(details);
      snprintf(details + used, sizeof details - used, "%s%d=%zu", used ? " " : "", options[i], (size_t)values[i]);
    } else {
      strcpy(values[i], options[i] == 3 ? "ptxas info    : Compiling entry function 'add_kernel' for 'sm_90a'\n"
                                          "ptxas info    : Used 26 registers, used 0 barriers\n"
                                        : failingLog);
    }
  snprintf(linked, sizeof linked, "\177ELF %s", details);
  *state = &linkTag;
  return answer("cuLinkCreate_v2", details);
}
EXPORT int cuLinkAddData_v2(void *state, int kind, void *data, size_t bytes, const char *name, unsigned count,
                            int *options, void **values) {
  char details[64];
  snprintf(details, sizeof details, "%d %zu", kind, bytes);
  return answer("cuLinkAddData_v2", details);
}
EXPORT int cuLinkComplete(void *state, void **cubin, size_t *bytes) {
  *cubin = linked;
  *bytes = strlen(linked);
  return answer("cuLinkComplete", "");
}
EXPORT int cuLinkDestroy(void *state) { return answer("cuLinkDestroy", ""); }

EXPORT int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = &functionTag;
  return answer("cuModuleGetFunction", name);
}
EXPORT int cuFuncGetAttribute(int *value, int attribute, void *function) {
  *value = attribute == 4 ? registers : attribute == 3 ? 8 : 16;
  return answer("cuFuncGetAttribute", "");
}
EXPORT int cuFuncSetAttribute(void *function, int attribute, int value) {
  char details[64];
  snprintf(details, sizeof details, "%d=%d", attribute, value);
  return answer("cuFuncSetAttribute", details);
}
#ifndef FAKE_WITHOUT_LAUNCH
EXPORT int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                          unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
  char details[160];
  int first = 0, last = 0;
  lastStream = stream;
  size_t bytes = 0;
  if (extra && extra[0] == (void *)1 && extra[2] == (void *)2 && extra[4] == NULL) {
    bytes = *(size_t *)extra[3];
    memcpy(&first, extra[1], sizeof first);
    if (bytes >= sizeof last)
      memcpy(&last, (char *)extra[1] + bytes - sizeof last, sizeof last);
  }
  if (params && readsParameters) { // one by one, as tensor maps are: the test's kernel has four parameters and a map
    memcpy(&first, params[0], sizeof first);
    memcpy(&last, params[4], sizeof last);
    snprintf(details, sizeof details, "grid %u,%u,%u block %u,%u,%u shared %u params each first %d last %d", gx, gy,
             gz, bx, by, bz, shared, first, last);
    return answer("cuLaunchKernel", details);
  }
  snprintf(details, sizeof details, "grid %u,%u,%u block %u,%u,%u shared %u params %zu first %d last %d", gx, gy, gz,
           bx, by, bz, shared, bytes, first, last);
  return answer("cuLaunchKernel", details);
}
#endif
#ifndef FAKE_WITHOUT_ATTRIBUTES
struct Attribute {
  int id;
  int padding;
  union {
    char reserved[64];
    int flag;
    unsigned cluster[3];
  } value;
};
struct Config {
  unsigned sizes[7];
  void *stream;
  struct Attribute *attributes;
  unsigned count;
};
EXPORT int cuLaunchKernelEx(const struct Config *config, void *function, void **params, void **extra) {
  char details[160];
  const unsigned *s = config->sizes;
  int used = snprintf(details, sizeof details, "grid %u,%u,%u block %u,%u,%u shared %u params %zu", s[0], s[1], s[2], s[3],
                      s[4], s[5], s[6], extra ? *(size_t *)extra[3] : 0);
  for (unsigned i = 0; i < config->count; ++i) {
    const unsigned *cluster = config->attributes[i].value.cluster;
    if (config->attributes[i].id == 4)
      used += snprintf(details + used, sizeof details - (size_t)used, " 4=%ux%ux%u", cluster[0], cluster[1], cluster[2]);
    else
      used += snprintf(details + used, sizeof details - (size_t)used, " %d=%d", config->attributes[i].id,
                       config->attributes[i].value.flag);
  }
  lastStream = config->stream;
  return answer("cuLaunchKernelEx", details);
}
/// As on a device whose parts are of 18 multiprocessors, the last of 6.
EXPORT int cuOccupancyMaxActiveClusters(int *count, void *function, const struct Config *config) {
  char details[80];
  const int blocks = (int)config->attributes[0].value.cluster[0];
  snprintf(details, sizeof details, "cluster %d block %u shared %u", blocks, config->sizes[3], config->sizes[6]);
  *count = 7 * (18 / blocks) + 6 / blocks;
  return answer("cuOccupancyMaxActiveClusters", details);
}
/// Maps are numbered from 1; the number fills all of one.
static int mapCount;
EXPORT int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *base, const uint64_t *sizes,
                                  const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                                  int swizzle, int promotion, int fill) {
  char details[512];
  size_t used = (size_t)snprintf(details, sizeof details, "type %d base %#llx", type, (unsigned long long)(size_t)base);
  for (unsigned i = 0; i < rank; ++i)
    used += (size_t)snprintf(details + used, sizeof details - used, " [%llu +%llu %u/%u]", (unsigned long long)sizes[i],
                             i ? (unsigned long long)strides[i - 1] : 0ull, box[i], steps[i]);
  snprintf(details + used, sizeof details - used, " %d %d %d %d%s", interleave, swizzle, promotion, fill,
           (size_t)map % 64 ? " misaligned" : "");
  memset(map, ++mapCount, 128);
  return answer("cuTensorMapEncodeTiled", details);
}
EXPORT void fakeMapCount(int count) { mapCount = count; }
#endif
