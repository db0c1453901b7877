// The counters of the emulator by the names that they have in JSON.
#pragma once

#include "runtime/emulator/EmulatorReport.h"

#include <array>
#include <utility>

namespace tegula::explain {

using CounterColumn = std::pair<const char *, uint64_t runtime::Counters::*>;

/// All of them, in the order of tables.
inline constexpr std::array<CounterColumn, 13> counterColumns = {{
    {"warpInstructions", &runtime::Counters::warpInstructions},
    {"threadInstructions", &runtime::Counters::threadInstructions},
    {"loadRequests", &runtime::Counters::loadRequests},
    {"loadSectors", &runtime::Counters::loadSectors},
    {"loadSectorsIdeal", &runtime::Counters::loadSectorsIdeal},
    {"loadBytes", &runtime::Counters::loadBytes},
    {"storeRequests", &runtime::Counters::storeRequests},
    {"storeSectors", &runtime::Counters::storeSectors},
    {"storeSectorsIdeal", &runtime::Counters::storeSectorsIdeal},
    {"storeBytes", &runtime::Counters::storeBytes},
    {"sharedRequests", &runtime::Counters::sharedRequests},
    {"sharedBytes", &runtime::Counters::sharedBytes},
    {"bankConflicts", &runtime::Counters::bankConflicts},
}};

} // namespace tegula::explain
