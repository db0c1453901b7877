// The tables of a compilation as members of a document in JSON.
#pragma once

#include "compiler/insight/Insight.h"

namespace llvm::json {
class OStream;
} // namespace llvm::json

namespace tegula::explain {

/// Writes stages, layouts, values, conversions and pressure as members of the object that `json` is in.
void writeInsight(llvm::json::OStream &json, const insight::Insight &insight);

} // namespace tegula::explain
