// The names of a kernel by the ops that compute what they are bound to.
#pragma once

#include "compiler/driver/names/KernelNames.h"
#include "compiler/insight/Insight.h"

#include <map>
#include <string_view>
#include <tuple>
#include <vector>

namespace tegula {

/// Requires the names to outlive it.
class NamesByMaker {
public:
  explicit NamesByMaker(const std::vector<KernelName> &names);

  /// Returns the names that are bound to what an op at `place`, a number in `known.places`, computes, in the
  /// order in which the kernel binds them. An expression may be served by several ops, of other types than
  /// the one that is named.
  const std::vector<const KernelName *> &at(const insight::Insight &known, insight::Index place) const;

private:
  /// File, line and column of the start and of the end: of `a * b + c` the product begins where the sum does.
  using Range = std::tuple<std::string_view, uint32_t, uint32_t, uint32_t, uint32_t>;

  std::map<Range, std::vector<const KernelName *>> names;
};

} // namespace tegula
