// Counts where compiled kernels come from, and says why one had to be compiled.
//
// With TEGULA_CACHE_STATS=1 each event is a line on standard error, and the counts follow when the process
// ends:
//
//     tegula: compiled add_kernel in 12.3 ms: n is i32+, was i32:16+
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <cstdint>
#include <string>

namespace tegula::jit {

/// Counts since the process began.
struct CacheCounts {
  uint64_t compiled = 0, fromDisk = 0, fromBundle = 0; ///< images
  uint64_t withoutMaps = 0; ///< variants made because a device refused tensor maps or clusters for a launch
  uint64_t tuned = 0, tunedBefore = 0; ///< choices of tuners: measured, and found
};

CacheCounts cacheCounts();

/// The ways in which an image is had.
enum class ImageOrigin : uint8_t { Compiled, Disk, Bundle };

/// Counts an image for `spec`, which took so long.
void noteImage(const KernelSpec &spec, ImageOrigin origin, double milliseconds);
/// Counts a launch of `kernel` that needs a variant without `parts`, such as "tensor maps", for the reason
/// `why`.
void noteWithout(const std::string &kernel, const std::string &parts, const std::string &why);
/// Counts a tuner's choice for `kernel`: `config`, measured now or before.
void noteTuned(const std::string &kernel, const std::string &config, bool isMeasured);

/// Returns how `spec` differs from the most similar of the images of its kernel that were had before, or that
/// a bundle has: "n is i32+, was i32:16+; BLOCK is 64, was 128", "n is i32+, in a bundle i32:16+". Empty
/// where there is none.
std::string differenceFromBefore(const KernelSpec &spec);

} // namespace tegula::jit
