// Texts about a stopped session, for a terminal.
#pragma once

#include "compiler/debug/Session.h"
#include "compiler/debug/Statements.h"

#include <string>

namespace tegula::cli {

/// "(3, 0, 0)"
std::string programText(const interp::Grid &program);
/// "kernel.py:12 in helper"; empty where nothing runs.
std::string placeText(const debug::Session &session, size_t frame);
/// The place of a stop, the reason for it, and the line with a caret where the op is known.
std::string stopText(const debug::Session &session);
/// A line of a file with `around` lines before and after it, their numbers in front.
std::string listing(const debug::Statements &statements, const std::string &file, uint32_t line,
                    uint32_t around);
/// A value in a line, and its elements where it has sides.
std::string valueText(const debug::Value &value);
/// A line for each array of a launch.
std::string arraysText(llvm::ArrayRef<debug::Array> arrays, const debug::ReadMemory &read);
/// All calls, the innermost first, with their places.
std::string callsText(const debug::Session &session, size_t selected);

} // namespace tegula::cli
