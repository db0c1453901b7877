// An nvJitLink that makes code out of its options and fails where the PTX says so. With FAKE_OLD_NAMES it has the
// names of version 12.0 only; with FAKE_INCOMPLETE it lacks one.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FAKE_OLD_NAMES
#define ENTRY(name) __attribute__((visibility("default"))) int __nvJitLink##name##_12_0
#else
#define ENTRY(name) __attribute__((visibility("default"))) int nvJitLink##name
#endif

struct link {
  char code[256], errors[256];
};

ENTRY(Create)(struct link **handle, uint32_t count, const char **options) {
  *handle = calloc(1, sizeof **handle);
  strcpy((*handle)->code, "\177ELF");
  for (uint32_t i = 0; i < count; ++i)
    strcat(strcat((*handle)->code, " "), options[i]);
  return 0;
}
#ifndef FAKE_INCOMPLETE
ENTRY(Destroy)(struct link **handle) {
  free(*handle);
  *handle = NULL;
  return 0;
}
#endif
/// The PTX ends in a zero byte; what stands behind "fail:" is the error, or FAKE_JITLINK_ERROR.
ENTRY(AddData)(struct link *handle, int kind, const void *data, size_t bytes, const char *name) {
  if (kind != 2 || bytes == 0 || ((const char *)data)[bytes - 1] != 0)
    return 3;
  const char *problem = strstr(data, "fail:");
  problem = problem ? problem + 5 : getenv("FAKE_JITLINK_ERROR");
  if (!problem)
    return 0;
  snprintf(handle->errors, sizeof handle->errors, "%s", problem);
  return 4;
}
ENTRY(Complete)(struct link *handle) { return 0; }
ENTRY(GetLinkedCubinSize)(struct link *handle, size_t *bytes) {
  *bytes = strlen(handle->code);
  return 0;
}
ENTRY(GetLinkedCubin)(struct link *handle, void *cubin) {
  memcpy(cubin, handle->code, strlen(handle->code));
  return 0;
}
ENTRY(GetErrorLogSize)(struct link *handle, size_t *bytes) {
  *bytes = handle->errors[0] ? strlen(handle->errors) + 1 : 0;
  return 0;
}
ENTRY(GetErrorLog)(struct link *handle, char *log) {
  strcpy(log, handle->errors);
  return 0;
}
static const char info[] = "ptxas info    : Compiling entry function 'add_kernel' for 'sm_90a'\n"
                           "ptxas info    : Function properties for add_kernel\n"
                           "ptxas         .     96 bytes stack frame, 92 bytes spill stores, 88 bytes spill loads\n"
                           "ptxas info    : Used 255 registers, used 0 barriers\n";
ENTRY(GetInfoLogSize)(struct link *handle, size_t *bytes) {
  *bytes = sizeof info;
  return 0;
}
ENTRY(GetInfoLog)(struct link *handle, char *log) {
  strcpy(log, info);
  return 0;
}
#ifndef FAKE_OLD_NAMES
ENTRY(Version)(unsigned *major, unsigned *minor) {
  *major = 13;
  *minor = 7;
  return 0;
}
#endif
