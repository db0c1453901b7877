// What the elementwise functions of `tl` and of libdevice share.
#pragma once

#include "compiler/frontend/eval/Call.h"

namespace tegula::eval {

enum class FloatKinds : uint8_t { Single, Both };

/// Argument `index` where it is fp32 (or fp64): these functions convert nothing.
std::optional<Tensor> floatArgument(Call &call, size_t index, FloatKinds allowed = FloatKinds::Both);

/// `Op` of argument 0; `flags` are for fp32 only, fp64 is always accurate.
template <typename Op> Value unaryFloat(Call &call, mlir::arith::FastMathFlags flags) {
  std::optional<Tensor> value = floatArgument(call, 0);
  if (!value)
    return Poison();
  bool single = value->dtype.is(ScalarKind::Float32);
  return Tensor{
      call.emit.make<Op>(value->ir, call.emit.flags(single ? flags : mlir::arith::FastMathFlags::none)),
      value->dtype};
}

} // namespace tegula::eval
