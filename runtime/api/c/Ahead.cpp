// Bundles as a place where compilations find their results; what is recorded for them; where kernels came
// from.
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/Handles.h"

#include "runtime/jit/ahead/Bundles.h"
#include "runtime/jit/ahead/CacheStats.h"
#include "runtime/jit/ahead/Recorder.h"

using namespace tegula;
using namespace tegula::c;
using runtime::Result;

tegula_error *tegula_load_bundle(const char *path) {
  return guarded({{path, "path"}}, [&] { return jit::loadBundle(path); });
}

tegula_error *tegula_load_kernels_of_bundles(tegula_device *device, size_t *count) {
  return guarded({{device, "device"}, {count, "count"}}, [&]() -> Result<void> {
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
  return guarded({{kernel, "kernel"}, {config, "config"}}, [&]() -> Result<void> {
    jit::noteTuned(kernel, config, measured);
    return {};
  });
}

tegula_error *tegula_record_note(const char *name, const char *text) {
  return guarded({{name, "name"}, {text, "text"}}, [&]() -> Result<void> {
    if (jit::isRecording())
      jit::record(RecordedNote{name, text});
    return {};
  });
}

tegula_error *tegula_bundle_note(const char *name, char **text) {
  return guarded({{name, "name"}, {text, "text"}}, [&]() -> Result<void> {
    const std::optional<std::string> found = jit::noteInBundles(name);
    *text = found ? copyOf(*found) : nullptr;
    return {};
  });
}
