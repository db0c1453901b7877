// Which memory accesses are wider than can be proven, and what they take on trust for it.
#pragma once

#include "compiler/analysis/AxisInfoAnalysis.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tegula {

/// A signed `%` or `//` of a tensor whose dividend is not proven to be free of negative numbers.
struct TrustedDivision {
  mlir::Operation *op = nullptr;
  /// The dividend is made of numbers that are not negative: only an overflow, or a negative divisor on the way,
  /// makes it so.
  bool unlessOverflow = false;
};

/// An access whose elements are neighbours only if dividends are not negative.
struct TrustedAccess {
  /// For each axis, as in `MemoryAccess::runs`: with trust, and without.
  llvm::SmallVector<unsigned, 4> trusted, proven;
  /// What its addresses or its mask come from, in the order of the walk from the access.
  llvm::SmallVector<TrustedDivision, 2> divisions;
};

/// The analysis of `top` with trust and without, which are one where nothing divides.
class SignTrust {
public:
  explicit SignTrust(mlir::Operation *top);

  const AxisInfoAnalysis &trusting() const { return withTrust; }
  const AxisInfoAnalysis &proven() const { return without ? *without : withTrust; }

  /// What `access` trusts; nothing where its runs are proven.
  std::optional<TrustedAccess> of(mlir::Operation *access) const;

private:
  bool isTrusted(mlir::Operation *division) const;

  AxisInfoAnalysis withTrust;
  std::optional<AxisInfoAnalysis> without;
};

} // namespace tegula
