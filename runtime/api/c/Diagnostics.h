// Diagnostics of the compiler as the structs of tegula_c.h.
#pragma once

#include "runtime/api/tegula_c.h"

#include <list>
#include <memory>
#include <vector>

namespace tegula {
struct Diagnostic;
} // namespace tegula

namespace tegula::c {

/// Diagnostics with all that the structs point to. Moving leaves the structs where they are.
class DiagnosticList {
public:
  DiagnosticList() = default;
  explicit DiagnosticList(std::shared_ptr<const std::vector<Diagnostic>> source);

  const std::vector<tegula_diagnostic> &all() const { return list; }

private:
  std::vector<tegula_diagnostic> convert(const std::vector<Diagnostic> &source);

  std::shared_ptr<const std::vector<Diagnostic>> source; ///< owns the texts
  std::list<std::vector<tegula_diagnostic>> notes;       ///< of every level
  std::vector<tegula_diagnostic> list;
};

} // namespace tegula::c
