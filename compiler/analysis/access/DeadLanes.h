// Elements of a tensor that make no difference to what a kernel stores.
#pragma once

#include "compiler/analysis/access/BoxAccess.h"

namespace tegula {

/// Whether the elements of `tensor` at places `from` and behind along `axis` make no difference: all that
/// they reach are elements behind the same place of other tensors, along an axis which nothing sums up or
/// exchanges, and no store whose mask does not leave these out. Products pass rows of `a` and columns of `b`
/// on. `analysis` compares places.
bool areDeadFrom(mlir::Value tensor, unsigned axis, const Polynomial &from, BoxAnalysis &analysis);

} // namespace tegula
