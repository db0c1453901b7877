// A document as JSON, in the form of `insight.schema.json`.
#pragma once

#include "tools/insight/Document.h"

#include <string>

namespace tegula::explain {

/// The name of the form that is written.
inline constexpr const char *schemaName = "tegula-insight/1";

/// Returns the JSON text, on one line, with an end of line. Bytes that are no UTF-8 become the replacement
/// character.
std::string documentJson(const Document &document);

} // namespace tegula::explain
