// Memory accesses that are wider than can be proven, and what they take on trust for it.
#pragma once

#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "dialect/tile/Tile.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tegula {

/// A signed `%` or `//` of a tensor whose dividend is not proven to be free of negative numbers.
struct TrustedDivision {
  mlir::Operation *op = nullptr;
  /// The dividend is made of numbers that are not negative: only an overflow, or a negative divisor on the
  /// way, makes it so.
  bool unlessOverflow = false;
};

/// An access whose elements are neighbours, or have one address, only if dividends are not negative.
struct TrustedAccess {
  /// The runs along each axis, as in `MemoryAccess::runs`: with trust, and without.
  llvm::SmallVector<unsigned, 4> trusted, proven;
  /// Aligned groups along each axis that a load reads once, as they have one address and one mask bit: with
  /// trust, and without. Only overflow is trusted not to break them.
  llvm::SmallVector<unsigned, 4> trustedGroups, provenGroups;
  /// The divisions that its addresses or its mask come from, in the order of the walk from the access.
  llvm::SmallVector<TrustedDivision, 2> divisions;
};

/// An access that takes more elements at once than it could without hints of the program's author.
struct HintedAccess {
  unsigned unhinted = 1; ///< the most elements that it could
  unsigned elementBytes = 1;
};

/// The analysis of `top` with trust and without, which are one where nothing divides, and without hints,
/// where there are any.
class SignTrust {
public:
  explicit SignTrust(mlir::Operation *top);

  const AxisInfoAnalysis &trusting() const { return withTrust; }
  const AxisInfoAnalysis &proven() const { return without ? *without : withTrust; }

  /// The analysis with neither trust nor hints, for which no value is ever computed otherwise.
  const AxisInfoAnalysis &provenUnhinted() const {
    return withoutEither ? *withoutEither : withoutHints ? *withoutHints : proven();
  }

  /// Returns how long the groups along each axis are that `load` may read once: without hints, and with trust
  /// where only an overflow breaks that.
  llvm::SmallVector<unsigned, 4> groupsOf(tile::LoadOp load) const;

  /// Returns what `access` trusts; nothing where its runs and groups are proven.
  std::optional<TrustedAccess> of(mlir::Operation *access) const;

  /// Returns the hints that `access` rests on; nothing where there are none.
  std::optional<HintedAccess> hintedOf(mlir::Operation *access) const;

private:
  bool isTrusted(mlir::Operation *division) const;
  llvm::SmallVector<TrustedDivision, 2> divisionsOf(mlir::Operation *access) const;
  const AxisInfoAnalysis &unhinted() const { return withoutHints ? *withoutHints : withTrust; }
  const AxisInfoAnalysis &forGroupsOf(llvm::ArrayRef<TrustedDivision> divisions) const;

  AxisInfoAnalysis withTrust;
  std::optional<AxisInfoAnalysis> without, withoutHints, withoutEither;
};

} // namespace tegula
