// Breakpoints as a person names them.
#pragma once

#include "tools/tegula/threads/ThreadText.h"

#include <optional>
#include <string>

namespace tegula::cli {

/// A breakpoint at what `words` mean: "12", "kernel.py:12", the name of a function, or "ptx 95", each perhaps
/// with "warp 2", "hits >= 3" and "if %r5 > 10" behind it, in this order. A statement without code stands for
/// the next one of its function that has some. Nothing, with `error` set, where there is none.
std::optional<ThreadBreakpoint> breakpointNamed(const ThreadSubject &subject, const std::string &words,
                                                std::string &error);
/// A breakpoint at a line of a file.
std::optional<ThreadBreakpoint> breakpointAt(const ThreadSubject &subject, const std::string &file,
                                             uint32_t line, std::string &error);
/// A breakpoint in front of the first instruction at a line of the PTX or after it.
std::optional<ThreadBreakpoint> breakpointAtPtx(const ThreadSubject &subject, uint32_t line,
                                                std::string &error);
/// Puts a breakpoint under a condition, and one of hits; each may be empty. False, with `error` set, where
/// one cannot be read.
bool addConditions(const ThreadSubject &subject, const std::string &condition, const std::string &hits,
                   ThreadBreakpoint &breakpoint, std::string &error);
/// "breakpoint 1: kernel.py:12, warp 2" or "breakpoint 1: PTX line 95", and the text of the line.
std::string breakpointText(const ThreadSubject &subject, const ThreadBreakpoint &breakpoint);

} // namespace tegula::cli
