// Writes the command's output: results to standard output, messages to standard error.
//
// Nothing here throws or ends the process. Messages that cannot be written are dropped; results that cannot
// be written are an error, noticed at the latest when the command ends.
#pragma once

#include "dialect/image/Result.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace tegula::cli {

/// Makes sure that the descriptors 0, 1 and 2 are open, so that no file that is opened later becomes one of
/// them; a closed standard output fails every write. A reader that goes away is an error, no signal.
void prepareStandardFiles();

/// Appends to standard output. A failure is kept for `finishOutput`.
void writeOut(std::string_view text);
template <typename... T> void printOut(fmt::format_string<T...> format, T &&...values) {
  writeOut(fmt::format(format, std::forward<T>(values)...));
}

/// Writes `text` to the file `path`, or to standard output where that is empty or `-`. Errors: Io.
runtime::Result<void> writeTo(const std::string &path, std::string_view text);
/// Writes what is still held back. Errors: Io for anything that did not get to standard output.
runtime::Result<void> finishOutput();

/// When messages are coloured.
enum class ColourMode { Auto, Always, Never };
std::optional<ColourMode> parseColourMode(std::string_view text);
/// Auto: where standard error is a terminal that is not called "dumb", and NO_COLOR is empty.
void setColour(ColourMode mode);
bool isColourOn();

/// Writes messages for a person to standard error.
void say(std::string_view text);

/// Rendered diagnostics with the places and severities, carets and helps in colour. A source line is never
/// taken for a message: it is indented.
std::string coloured(std::string_view diagnostics);

} // namespace tegula::cli
