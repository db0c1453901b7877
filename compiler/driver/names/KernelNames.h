// The names of a kernel, each with what it is bound to: for editors, which show types, and for reports.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/spec/KernelSpec.h"

#include <string>
#include <vector>

namespace tegula {

class ParsedSource;

/// A place in a file. Lines and columns count from 1, columns in code points; all are 0 where nothing is
/// known. The end is exclusive.
struct NamePlace {
  std::string file;
  unsigned line = 0, column = 0;
  unsigned endLine = 0, endColumn = 0;
};

/// A name where it gets a value.
struct KernelName {
  std::string name; ///< or a part of what a name is bound to: "t[0]", "state.m", "p.offsets[1]"
  NamePlace place;
  unsigned endColumn = 0;       ///< one past the name, of a part past the name that it is a part of
  std::vector<NamePlace> calls; ///< that led to `place`, from the inside out
  std::string type;             ///< "fp32[64,64]", "int32", "int"
  std::string constant;         ///< the text of a value known when compiling, else empty
  NamePlace made;               ///< the place of the operation that computed it, where there is one
  /// The name is not assigned here: a loop or a branch carries it, as another value of the IR.
  bool isKept = false;
};

struct KernelNames {
  std::vector<KernelName> names; ///< in the order in which the kernel binds them; those that errors leave
  std::vector<Diagnostic> diagnostics; ///< errors, warnings and static prints
  bool hasErrors() const;
};

/// Evaluates the kernel that `spec` names for its names alone.
KernelNames namesOf(const ParsedSource &source, const KernelSpec &spec);

} // namespace tegula
