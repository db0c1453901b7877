// Shows compiled kernels in an editor: layouts and facts of values, costs of lines, and resources.
#pragma once

#include "tools/tegula/lsp/Analysis.h"

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>

namespace tegula::cli {

/// Describes the tensors that `name` is where `place`, of its file, binds it: layout, registers, facts and
/// their cause. Lines of Markdown; empty where nothing is known.
std::string valueText(const Analysis &analysis, const std::string &name, LineColumn place);

/// Describes what a line, counted from 1, costs: bytes asked, width of accesses, changes of layouts,
/// instructions. A line of Markdown; empty where nothing is known.
std::string costText(const Analysis &analysis, uint32_t line);

/// A lens with resources on the `def` of each kernel that was compiled, and one on each of its loops with the
/// iterations in flight, or why there is one only.
llvm::json::Array resourceLenses(const Analysis &analysis);

} // namespace tegula::cli
