// Messages from the process that measures to the one that waits: a line for each.
#pragma once

#include "runtime/jit/tune/TunedChoice.h"

#include <string>
#include <variant>

namespace tegula::cli {

struct DeviceLine {
  std::string name;
};
/// A config is about to be launched for the first time.
struct BeginLine {
  size_t config;
};
/// Under which a choice is kept.
struct KeyLine {
  std::string key;
};
/// An Error ends the measuring.
using WireLine = std::variant<std::monostate, DeviceLine, BeginLine, KeyLine, jit::TunedChoice, jit::Trial,
                              runtime::Error>;

/// Writes a line to a descriptor; texts stand in it whatever is in them. A reader that is gone is no error.
void writeLine(int wire, const WireLine &line);

/// Reads a line without its end; nothing (the first kind) of any other text.
WireLine readLine(const std::string &line);

} // namespace tegula::cli
