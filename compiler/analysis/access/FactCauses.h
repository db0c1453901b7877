// The causes of what an access cannot do: where the chain of facts that it needs broke.
//
// AxisInfo is a chain of meets: what is known of `ptr + rows * stride + columns` is the least of what is
// known of its parts. A walk goes back from the access, at each op to the operand that lacks the fact, until
// it comes to a parameter, a constant, a load, or an op that no operand is to blame for.
#pragma once

#include "compiler/analysis/Decision.h"
#include "compiler/analysis/access/MemoryAccess.h"

namespace tegula {

/// Returns `value` as a cause: `fact` follows its name, which is that of the parameter or what stands at its
/// place. A constant, whose own place is lost when equal ones are merged, stands where `user` is, if that is
/// given.
Cause causeAt(mlir::Value value, const llvm::Twine &fact, mlir::Operation *user = nullptr);

/// Returns what limits `access`, which `op` makes, along its fastest axis, and what to do about it: a reason
/// of the text `access.limit`. Without a cause where the access is as wide as can be.
Reason reasonOfLimit(mlir::Operation *op, const MemoryAccess &access, const AxisInfoAnalysis &facts);

/// Returns the cause, one, that `value`, a tensor of addresses, integers or truths, has no neighbours along
/// its fastest axis that an access of 16 bytes could take together. Nothing where it has, where all elements
/// are equal, or where the walk comes to no end.
std::optional<Reason> reasonOfFacts(mlir::Value value, const AxisInfoAnalysis &facts);

} // namespace tegula
