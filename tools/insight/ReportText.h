// A document as text for a terminal.
#pragma once

#include "tools/insight/Document.h"

#include <cstdint>
#include <string>

namespace tegula::explain {

/// Writes the report: the findings with their lines of source, and what a block takes.
std::string reportText(const Document &document);
/// Says in a line what a block takes of a multiprocessor, and how many of them it holds.
std::string resourcesText(const Resources &resources);
/// Writes all that is known of a line of the kernel's file: counts, values with their layouts, remarks and
/// instructions.
std::string lineReport(const Document &document, uint32_t line);
/// Writes what the configs take, a line each: those that do not fit say by how much.
std::string configsText(const Document &document);

} // namespace tegula::explain
