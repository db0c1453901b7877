// Finds the fastest of a kernel's configs on a device by trying them.
#pragma once

#include "runtime/jit/tune/Measurement.h"

namespace tegula::jit {

/// Places among `trials` of those that are so near the fastest that their order may be chance: the chip was
/// cooler for one than for another. At most four, the fastest first; none where one stands alone.
std::vector<size_t> finalists(const std::vector<Trial> &trials);

/// Compiles the configs side by side, then measures them one after the other; `begin` hears of each before it
/// is launched for the first time, `done` when it is through. Then the finalists take turns, and `done` hears
/// of them again, with the times that count. A config that does not fit, or cannot be compiled or loaded, is
/// skipped. Errors: those of the device while measuring, after which a GPU is lost to the process; what
/// `request`'s functions give.
runtime::Result<std::vector<Trial>> tune(const TuneRequest &request,
                                         const std::function<void(size_t config)> &begin = {},
                                         const std::function<void(const Trial &)> &done = {});

/// The same of configs that are prepared already; `request` says for how long, and how arrays are put back.
runtime::Result<std::vector<Trial>> measure(const TuneRequest &request, std::vector<Candidate> candidates,
                                            const std::function<void(size_t config)> &begin = {},
                                            const std::function<void(const Trial &)> &done = {});

/// The fastest of them; null where none was measured.
const Trial *fastest(const std::vector<Trial> &trials);

} // namespace tegula::jit
