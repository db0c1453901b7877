// The most that a device moves and computes in a second: the roofs of a roofline.
#pragma once

#include "runtime/device/Device.h"
#include "tools/insight/Document.h"

#include <optional>
#include <string_view>

namespace tegula::explain {

/// Returns what the data sheet of a device of `target` promises; nothing where none is known.
std::optional<Peaks> peaksOfTarget(std::string_view target);

/// Returns the peaks of a device by the clocks, the multiprocessors and the memory bus that it reports;
/// nothing where it does not report them, or no data sheet tells what its units do in a cycle.
std::optional<Peaks> peaksOfDevice(const runtime::DeviceProperties &device);

} // namespace tegula::explain
