// Values that leave or go round a region: taken apart into IR values and put together again.
#pragma once

#include "compiler/frontend/values/Memory.h"

namespace tegula::eval {

/// Appends the IR values within `value`, in order.
void flatten(const Value &value, llvm::SmallVectorImpl<mlir::Value> &out);

/// `like` with its IR values replaced by the first ones of `values`, which are taken off.
Value rebuild(Memory &memory, const Value &like, llvm::ArrayRef<mlir::Value> &values);

/// Returns true if both are the same object: the same IR value, the same constant.
bool isIdentical(const Value &a, const Value &b);

/// Returns true if `flatten` of both gives values of the same types, and their compile-time parts are equal.
bool isCompatible(const Value &a, const Value &b);

} // namespace tegula::eval
