// The calls that led to a place of the source: the PTX has the innermost place alone.
#pragma once

#include "compiler/debug/Statements.h"
#include "compiler/insight/Insight.h"
#include "tools/tegula/threads/CodeLines.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tegula::cli {

class SourcePlaces {
public:
  /// `statements` must outlive this; `known` has the places of the kernel's operations, with their calls.
  SourcePlaces(const debug::Statements &statements, const insight::Insight &known);

  /// The place with the calls that led there, as far as they are the same wherever it was inlined. The first
  /// that are not stand as one place without a line.
  std::vector<CodePlace> of(const runtime::SourcePlace &place) const;

private:
  using Point = std::tuple<std::string, uint32_t, uint32_t>;
  CodePlace placeAt(const Point &point) const;

  const debug::Statements &statements;
  std::map<Point, std::vector<std::vector<Point>>> callers; ///< of each place, the chains of calls
};

} // namespace tegula::cli
