// The counts of a run as members of an object of JSON: accesses, counters, events and the roofline.
#pragma once

#include "tools/insight/Document.h"

#include "llvm/Support/JSON.h"

namespace tegula::explain {

/// Writes the members of the object that is open; of a document without a run, no accesses.
void writeRun(llvm::json::OStream &json, const Document &document);

} // namespace tegula::explain
