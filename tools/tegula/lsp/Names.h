// Names in the jit functions of a file: what stands at a place, what it means, and where else it stands.
#pragma once

#include "tools/tegula/lsp/Analysis.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula::cli {

/// A name at a place in a jit function.
struct NameAt {
  const ast::FunctionStmt *function = nullptr; ///< around it
  std::string dotted;    ///< "tl.load" with the cursor in `load`, "x" in `x`; of a method of a value ".sum"
  std::string name;      ///< the part under the cursor
  SourceRange range;     ///< of that part
  bool isLocal = false;  ///< a parameter or variable of the function
  bool isMethod = false; ///< an attribute of what is no module
};
std::optional<NameAt> nameAt(const ParsedSource &source, uint32_t offset);

/// A parameter or variable of a function.
struct LocalName {
  std::string name;
  bool isParameter = false;
  std::vector<SourceRange> places; ///< in the order of the text; the first binds it
};
/// The variables of a function, by the place that binds them first.
std::vector<LocalName> localNames(const ast::FunctionStmt &function);
std::optional<LocalName> localName(const ast::FunctionStmt &function, std::string_view name);

/// A place in a file.
struct FilePlace {
  const SourceFile *file = nullptr;
  SourceRange range;
};
/// Finds the place where a name that is not local is bound: a function, also of an imported file, or a
/// statement of the file.
std::optional<FilePlace> definitionOf(const ParsedSource &source, const NameAt &name);

/// Returns why `name` cannot be the new name of a variable of `function`; empty where it can.
std::string whyNotRename(const ast::FunctionStmt &function, const LocalName &local, const std::string &name);

} // namespace tegula::cli
