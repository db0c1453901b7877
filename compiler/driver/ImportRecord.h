// What a program imports, as text for keys: what a result depends on beside the file itself.
#pragma once

#include <string>

namespace tegula {

class ParsedSource;

/// The modules that `source` imports, as far as anything compiled from it has asked for them: what was looked
/// for, and which texts were found. It tells what a result depends on beside the file itself.
std::string importRecord(const ParsedSource &source);
/// The same of everything that its import statements lead to, whether a kernel needs it or not: what is known
/// of a program before anything is compiled. Reads and parses all those files.
std::string importClosure(const ParsedSource &source);
/// Whether such a record, perhaps of another process, holds for `source` too: what it looks for leads to the
/// same texts.
bool agreesWithImports(const ParsedSource &source, const std::string &record);
/// Whether what `source` has imported so far is still what would be found.
bool hasCurrentImports(const ParsedSource &source);

} // namespace tegula
