// Output of kernels: the device functions `vprintf` and `__assertfail`.
#pragma once

#include "runtime/emulator/ptx/Module.h"

namespace tegula::runtime::ptx {

/// `call (retval), vprintf, (format, arguments)`: appends one text a lane to the launch's output.
void printFormatted(Warp &warp, const Inst &inst);
/// `call __assertfail, (message, file, line, function, size)`: a fault that quotes the assertion.
void failAssertion(Warp &warp, const Inst &inst);

/// Limit of text printed by all launches and not yet taken; the rest is cut off.
inline constexpr size_t maxPrintedBytes = 16u << 20;

} // namespace tegula::runtime::ptx
