// Elements of a tensor that make no difference to what a kernel stores.
#pragma once

#include "compiler/analysis/access/BoxAccess.h"

namespace tegula {

/// Returns whether no result demands the elements of `tensor` at places `from` and after along `axis`: all
/// that they reach are elements after the same place of other tensors, along an axis which nothing sums up or
/// permutes, and no store whose mask does not leave these out. Products pass rows of `a` and columns of `b`
/// on. `analysis` compares places.
bool areDeadFrom(mlir::Value tensor, unsigned axis, const Polynomial &from, BoxAnalysis &analysis);

} // namespace tegula
