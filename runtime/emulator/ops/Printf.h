// What kernels print and assert: the device functions `vprintf` and `__assertfail`.
#pragma once

#include "runtime/emulator/ptx/Module.h"

namespace tegula::runtime::ptx {

/// `call (retval), vprintf, (format, arguments)`: appends one text a lane to the launch's output.
void printFormatted(Warp &warp, const Inst &inst);
/// `call __assertfail, (message, file, line, function, size)`: a fault that quotes the assertion.
void failAssertion(Warp &warp, const Inst &inst);

/// Text printed by all launches that nobody has taken is cut off here.
inline constexpr size_t maxPrintedBytes = 16u << 20;

} // namespace tegula::runtime::ptx
