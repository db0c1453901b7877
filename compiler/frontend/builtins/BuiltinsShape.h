// What functions of shapes share.
#pragma once

#include "compiler/frontend/eval/Call.h"

namespace tegula::eval {

/// The one element of `tensor`, which has no other, as a scalar.
Tensor onlyElement(Emitter &emit, Tensor tensor);

} // namespace tegula::eval
