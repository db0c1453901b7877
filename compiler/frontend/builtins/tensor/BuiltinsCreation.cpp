// The number of the program, and new tensors.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/calls/Call.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

template <typename Op> Value grid(Call &call, Int axis) {
  if (axis < 0 || axis > 2)
    return call.errorAt(0, std::string(call.builtin.name) + " axis must be 0, 1, or 2 but got " +
                               toString(axis));
  mlir::Value id = Op::create(call.emit.builder, call.emit.loc, tile::Axis(uint32_t(axis)));
  return Tensor{id, {ScalarKind::Int32}};
}

Value arange(Call &call, Int start, Int end) {
  Dtype int32{ScalarKind::Int32};
  if (!fits(start, int32) || !fits(end, int32))
    return call.error("expected bounds of 32 bits, found " + toString(start) + " and " + toString(end));
  Int size = end - start;
  if (size <= 0)
    return call.error("expected an end above the start, found " + toString(start) + " and " + toString(end));
  if (size & (size - 1)) {
    Diagnostic &diagnostic = call.report(call.range, "arange's range must be a power of 2");
    diagnostic.help =
        "it has " + toString(size) + " elements: round up to a power of two and mask what is too much";
    const SourceRange written = call.valueRange(1);
    if (call.reporter.source().slice(written) == toString(end))
      call.reporter.addFix(diagnostic, written,
                           std::to_string(int64_t(start) + int64_t(llvm::NextPowerOf2(uint64_t(size)))));
    return Poison();
  }
  if (!call.semantics.checkShape(size, call.range))
    return Poison();
  int64_t sides[] = {int64_t(size)};
  return Tensor{call.emit.make<tile::ArangeOp>(call.emit.type(int32, sides), uint32_t(int32_t(start)),
                                               uint32_t(int32_t(end))),
                int32};
}

Value full(Call &call, const Integers &sides, const Value &filler, Dtype dtype) {
  if (!call.semantics.checkShape(sides, call.rangeOf(0)))
    return Poison();
  llvm::SmallVector<int64_t, 8> shape(sides.begin(), sides.end());
  // A whole number is an error where no type holds it; a narrower type than it needs cuts it, as a cast does.
  if (std::optional<Int> whole = filler.asInt();
      whole && dtype.isInt() && !fits(*whole, {ScalarKind::Int64}) && !fits(*whole, {ScalarKind::UInt64}))
    return call.errorAt(1, "expected an integer of at most 64 bits, found " + toString(*whole));
  if (filler.isNumber() && !dtype.isPointer())
    return call.emit.constant(filler, dtype, shape);
  std::optional<Tensor> value = call.tensor(1);
  if (!value)
    return Poison();
  if (!value->isScalar())
    return call.errorAt(1, "expected a scalar, found " + describe(*value));
  value = call.semantics.cast(*value, dtype, call.rangeOf(1));
  return value ? Value(call.emit.broadcast(*value, shape)) : Value(Poison());
}

Value cast(Call &call, Tensor value, Dtype dtype, llvm::StringRef rounding, bool bits) {
  if (!rounding.empty() && rounding != "rtne" && rounding != "rtz")
    return call.errorAt(2, "expected 'rtne' or 'rtz', found '" + rounding.str() + "'");
  if (bits)
    return orPoison(call.semantics.bitcast(value, dtype, call.range));
  if (value.dtype == dtype)
    return value;
  bool narrows = value.dtype.isFloat() && dtype.isFloat() && dtype.bits() < value.dtype.bits();
  if (!rounding.empty() && !narrows)
    return call.errorAt(2, "expected a conversion to a narrower float, found one from " +
                               typeName(value.dtype) + " to " + typeName(dtype));
  return orPoison(call.semantics.cast(value, dtype, call.range,
                                      rounding == "rtz" ? Rounding::TowardZero : Rounding::ToNearest));
}

Value toTensor(Call &, Tensor value) { return value; }

constexpr auto programId = grid<tile::ProgramIdOp>, numPrograms = grid<tile::NumProgramsOp>;

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsCreation.inc"
