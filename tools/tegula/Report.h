// `--report`: remarks of the compiler, counters of the emulator.
#pragma once

#include "compiler/Compile.h"
#include "runtime/emulator/EmulatorReport.h"

#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// "kernel.py:7:3: passed: vectorize: 4 elements of 4 bytes in one access", one line each.
std::string formatRemarks(const std::vector<Remark> &remarks);

/// A row for each source line that did anything, with its text: instructions, global sectors against
/// the least possible, shared-memory bank conflicts; then the sum. `source` is the text of `file`;
/// lines of other files are shown by name.
std::string formatCounters(const runtime::EmulatorReport &report, std::string_view file,
                           std::string_view source);

} // namespace tegula::cli
