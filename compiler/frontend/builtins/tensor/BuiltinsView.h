// Tensor descriptors, for those who make them of parameters.
#pragma once

#include "compiler/frontend/builtins/tensor/BuiltinsMemory.h"

namespace tegula::eval {

/// The sides of a block, as shape: the context keeps it.
Shape blockShape(Emitter &emit, llvm::ArrayRef<Int> sides, Dtype element);

/// Why no descriptor can have blocks of this shape, "expected ..."; empty where one can.
std::string wrongBlock(Shape block, Dtype element);

/// Returns true if blocks of such elements can have NaN outside of their array.
bool canPadWithNan(Dtype element);

/// The descriptor of the array at `base`, a scalar. `sizes` are int32, `strides` int64, the last of them 1.
Descriptor describeArray(Evaluation &evaluator, const Access &base, llvm::ArrayRef<Tensor> sizes,
                         llvm::ArrayRef<Tensor> strides, Shape block, bool padsWithNan);

} // namespace tegula::eval
