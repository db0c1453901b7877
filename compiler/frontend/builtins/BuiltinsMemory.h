// What all accesses of memory share: the pointer, the mask, and the one shape that they come to.
#pragma once

#include "compiler/frontend/eval/Call.h"

namespace tegula::eval {

/// The pointer operand; a pointer to truths is one to bytes, which is how memory holds them.
struct Access {
  Tensor pointer;
  Dtype element; ///< of memory
  bool isBool;
};

/// Argument 0 as a pointer.
std::optional<Access> pointerArgument(Call &call);

/// Reports a pointer to constants, through which nothing may be written.
bool checkWritable(Call &call);

/// Argument `index` as a mask; a null value where every element is meant.
std::optional<Tensor> maskArgument(Call &call, size_t index);

/// Gives `pointer` and `operand`, argument `index`, one shape. With a fixed pointer only the operand may
/// grow.
bool fitToPointer(Call &call, Tensor &pointer, Tensor &operand, std::string_view what, size_t index,
                  bool fixedPointer);

} // namespace tegula::eval
