// The functions of the language with their docstrings, as the one description of the language has them
// (`compiler/frontend/language.py`).
#pragma once

#include "tools/tegula/lsp/Analysis.h"

#include <span>
#include <string_view>
#include <vector>

namespace tegula::cli {

struct LanguageFunction {
  std::string_view homes; ///< where it is found, with blanks between: "tl.math tensor"
  std::string_view name;
  std::string_view signature; ///< "(x: Value) -> tensor"
  std::string_view doc;       ///< or empty
  std::string_view differs;   ///< from Triton's, or empty
  bool isFoundIn(std::string_view home) const;
};

/// The module of the language that a name of the file is, as descriptions spell it: "tl" of `tl`, "tl.math"
/// of `tl.math`, "tl.extra.libdevice" of `libdevice`; empty where it is none.
std::string languageModule(const ParsedSource &source, std::string_view dotted);
/// The function that `dotted` is, as `tl.load`; null where it is none.
const LanguageFunction *languageFunction(const ParsedSource &source, std::string_view dotted);
/// The method `name` of tensors, or null.
const LanguageFunction *tensorMethod(std::string_view name);
/// Functions found in a module; those of `tl` are found there whatever part of it they belong to.
std::vector<const LanguageFunction *> functionsIn(std::string_view module);

/// The text that an editor shows of a function: its signature as code, its docstring, how it differs.
std::string docText(const LanguageFunction &function);

} // namespace tegula::cli
