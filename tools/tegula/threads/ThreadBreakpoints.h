// Breakpoints as a person names them.
#pragma once

#include "tools/tegula/threads/ThreadText.h"

#include <optional>
#include <string>

namespace tegula::cli {

/// A breakpoint at what `words` mean: "12", "kernel.py:12", the name of a function, or "ptx 95", each perhaps
/// with "warp 2", "hits >= 3" and "if %r5 > 10" behind it, in this order. A statement without code stands for
/// the next one of its function that has some. Errors: InvalidArgument, below too.
runtime::Result<ThreadBreakpoint> breakpointNamed(const ThreadSubject &subject, const std::string &words);
/// A breakpoint at a line of a file.
runtime::Result<ThreadBreakpoint> breakpointAt(const ThreadSubject &subject, const std::string &file,
                                               uint32_t line);
/// A breakpoint in front of the first instruction at a line of the PTX or after it.
runtime::Result<ThreadBreakpoint> breakpointAtPtx(const ThreadSubject &subject, uint32_t line);
/// Puts a breakpoint under a condition, which may be empty.
runtime::Result<void> addCondition(const ThreadSubject &subject, const std::string &condition,
                                   ThreadBreakpoint &breakpoint);
/// "breakpoint 1: kernel.py:12, warp 2" or "breakpoint 1: PTX line 95", and the text of the line.
std::string breakpointText(const ThreadSubject &subject, const ThreadBreakpoint &breakpoint);

} // namespace tegula::cli
