// Texts about a stopped session, for a terminal.
#pragma once

#include "compiler/debug/Session.h"

#include <string>

namespace tegula::cli {

/// "(3, 0, 0)"
std::string programText(const interp::Grid &program);
/// "kernel.py:12 in helper"; empty where nothing runs.
std::string placeText(const debug::Session &session, size_t frame);
/// The place of a stop, the reason for it, and the line with a caret where the op is known.
std::string stopText(const debug::Session &session);
/// The line of call `frame` with `around` lines before and after it, their numbers in front.
std::string listing(const debug::Session &session, const std::string &file, uint32_t line, uint32_t around);
/// All calls, the innermost first, with their places.
std::string callsText(const debug::Session &session, size_t selected);

} // namespace tegula::cli
