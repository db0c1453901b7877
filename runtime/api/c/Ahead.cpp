// Bundles as a place where compilations find their results; what is recorded for them; where kernels came
// from.
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/Handles.h"
#include "runtime/api/c/Sized.h"

#include "runtime/jit/ahead/Bundles.h"
#include "runtime/jit/ahead/CacheStats.h"
#include "runtime/jit/ahead/Recorder.h"

#include <cstring>
#include <new>

using namespace tegula;
using namespace tegula::c;
using runtime::Result;

tegula_error *tegula_load_bundle(const char *path) {
  return guarded([&]() -> Result<void> {
    TRY(require(Required{path, "path"}));
    return jit::loadBundle(path);
  });
}

tegula_error *tegula_load_kernels_of_bundles(tegula_device *device, size_t *count) {
  return guarded([&]() -> Result<void> {
    TRY(require(Required{device, "device"}, Required{count, "count"}));
    *count = TRY(jit::loadKernelsOfBundles(device->device, device->arch));
    return {};
  });
}

void tegula_get_cache_counts(tegula_cache_counts *counts) {
  if (!counts)
    return;
  const jit::CacheCounts of = jit::cacheCounts();
  fill(*counts,
       {counts->size, of.compiled, of.fromDisk, of.fromBundle, of.tuned, of.tunedBefore, of.withoutMaps});
}

tegula_error *tegula_note_tuned(const char *kernel, const char *config, bool measured) {
  return guarded([&]() -> Result<void> {
    TRY(require(Required{kernel, "kernel"}, Required{config, "config"}));
    jit::noteTuned(kernel, config, measured);
    return {};
  });
}

tegula_error *tegula_record_note(const char *name, const char *text) {
  return guarded([&]() -> Result<void> {
    TRY(require(Required{name, "name"}, Required{text, "text"}));
    if (jit::isRecording())
      jit::record(RecordedNote{name, text});
    return {};
  });
}

tegula_error *tegula_bundle_note(const char *name, char **text) {
  return guarded([&]() -> Result<void> {
    TRY(require(Required{name, "name"}, Required{text, "text"}));
    const std::optional<std::string> found = jit::noteInBundles(name);
    char *copy = found ? strdup(found->c_str()) : nullptr;
    if (found && !copy)
      throw std::bad_alloc();
    *text = copy;
    return {};
  });
}
