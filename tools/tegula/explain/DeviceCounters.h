// The counters of the device itself, which NVIDIA's profiler (`ncu`) of a CUDA toolkit reads.
#pragma once

#include "runtime/device/Device.h"
#include "tools/insight/Document.h"
#include "tools/tegula/explain/Subject.h"

namespace tegula::cli {

/// Launches the subject's kernel once more on the GPU, by `tegula run` under the profiler, and returns what
/// the device counted. `entry` is the kernel's name in its code. Errors: Unavailable where there is no
/// profiler; Driver where it reads nothing, as most rented GPUs let their owners alone read counters; Io.
runtime::Result<explain::DeviceCounts> countOnDevice(const Subject &subject, const std::string &entry,
                                                     const runtime::DeviceProperties &device);

} // namespace tegula::cli
