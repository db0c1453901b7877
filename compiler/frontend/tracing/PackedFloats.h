// Conversions of the 8-bit floats that the IR has no type for (`compiler/spec/SmallFloat.h`): arithmetic on
// their bits.
#pragma once

#include "compiler/frontend/tracing/Emitter.h"

namespace tegula::eval {

/// The numbers of `packed` in fp32, which has them all.
Tensor unpackFloats(Emitter &emit, Tensor packed);

/// The numbers of `wide`, in fp32, rounded to the packed type `to`. What lies beyond it becomes its largest
/// number.
Tensor packFloats(Emitter &emit, Tensor wide, Dtype to, Rounding rounding);

} // namespace tegula::eval
