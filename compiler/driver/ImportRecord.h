// Records the imports of a program, as text for keys: what a result depends on besides the file itself.
#pragma once

#include <string>

namespace tegula {

class ParsedSource;

/// Returns a record of the modules that compilations of `source` have asked for: which names were looked for,
/// and which texts were found. With the file itself it is all that a result depends on.
std::string importRecord(const ParsedSource &source);
/// The same of everything that its import statements lead to, whether a kernel needs it or not: what is known
/// of a program before anything is compiled. Reads and parses all those files.
std::string importClosure(const ParsedSource &source);
/// Returns true if such a record, perhaps of another process, holds for `source` too: its names lead to the
/// same texts.
bool agreesWithImports(const ParsedSource &source, const std::string &record);
/// Returns true if everything that `source` has imported so far would be found unchanged.
bool hasCurrentImports(const ParsedSource &source);

} // namespace tegula
