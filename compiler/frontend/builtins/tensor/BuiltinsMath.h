// Helpers of the elementwise functions of `tl` and of libdevice.
#pragma once

#include "compiler/frontend/eval/calls/Call.h"

namespace tegula::eval {

enum class FloatKinds : uint8_t { Single, Both };

/// Argument `index` where it is fp32 (or fp64): these functions convert nothing.
std::optional<Tensor> floatArgument(Call &call, size_t index, FloatKinds allowed = FloatKinds::Both);

/// Argument 0 of a function that is a method, too. Where the version takes of methods what it refuses of
/// functions, that may be fp16 or bf16, as fp32: `likeReceiver` brings the result back to its type.
std::optional<Tensor> floatOrReceiver(Call &call, FloatKinds allowed = FloatKinds::Both);
Tensor likeReceiver(Call &call, Tensor result);

/// `Op` of argument 0; `flags` are for fp32 only, fp64 is always accurate.
template <typename Op> Value unaryFloat(Call &call, mlir::arith::FastMathFlags flags) {
  std::optional<Tensor> value = floatOrReceiver(call);
  if (!value)
    return Poison();
  bool single = value->dtype.is(ScalarKind::Float32);
  return likeReceiver(
      call, Tensor{call.emit.make<Op>(value->ir,
                                      call.emit.flags(single ? flags : mlir::arith::FastMathFlags::none)),
                   value->dtype});
}

} // namespace tegula::eval
