// Arithmetic on f16 and bf16, and on packed pairs: f16x2, bf16x2, f32x2, s16x2, u16x2.

#include "runtime/emulator/ops/DefinedBytes.h"
#include "runtime/emulator/ops/FloatMath.h"
#include "runtime/emulator/ops/Opcodes.h"

namespace tegula::runtime::ptx {

namespace {

using Scalar = uint64_t (*)(const Inst &, uint64_t, uint64_t, uint64_t);

/// One function of up to three operands on each of the `Count` elements of `W` bits.
template <Scalar F, unsigned Count, unsigned W>
uint64_t each(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  if constexpr (Count == 1)
    return F(inst, a, b, c);
  uint64_t out = 0;
  for (unsigned i = 0; i < Count; ++i)
    out |= F(inst, a >> (W * i) & lowMask(W), b >> (W * i) & lowMask(W), c >> (W * i) & lowMask(W))
           << (W * i);
  return out;
}

template <const Format &F, FloatOp Op>
uint64_t element(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  if constexpr (Op == FloatOp::Min || Op == FloatOp::Max)
    return extremum<F, Op == FloatOp::Max>(inst, a, b);
  else if constexpr (Op == FloatOp::Abs)
    return absolute<F>(inst, a);
  else if constexpr (Op == FloatOp::Neg)
    return negate<F>(inst, a);
  else
    return narrowOp<F, Op>(inst, a, b, c);
}

template <FloatOp Op, bool Signed> uint64_t shortElement(const Inst &, uint64_t a, uint64_t b, uint64_t) {
  if constexpr (Op == FloatOp::Add)
    return (a + b) & lowMask(16);
  const bool less = Signed ? signExtend(a, 16) < signExtend(b, 16) : a < b;
  return less == (Op == FloatOp::Min) ? a : b;
}

/// Handlers for one scalar function on scalars and pairs; operands beyond those used are row 0, whose
/// defined bits must not count, hence one shape for each number of operands.
template <Scalar F, unsigned Count, unsigned W, unsigned Operands>
void wholeHandler(Warp &warp, const Inst &inst) {
  uint64_t *out = warp.row(inst.dst);
  const uint64_t *a = warp.row(inst.src[0]), *b = Operands > 1 ? warp.row(inst.src[1]) : a,
                 *c = Operands > 2 ? warp.row(inst.src[2]) : a;
  forLanes(warp.mask, [&](uint32_t lane) { out[lane] = each<F, Count, W>(inst, a[lane], b[lane], c[lane]); });
  uint32_t definedBits = warp.defined[inst.src[0]];
  if (Operands > 1)
    definedBits &= warp.defined[inst.src[1]];
  if (Operands > 2)
    definedBits &= warp.defined[inst.src[2]];
  warp.setDefined(inst.dst, definedBits);
}

/// The same, with the elements of pairs defined one by one.
template <Scalar F, unsigned Count, unsigned W, unsigned Operands>
constexpr Handler packedHandler =
    Count == 1 ? wholeHandler<F, Count, W, Operands>
               : byBytes<wholeHandler<F, Count, W, Operands>, elementBytes<Operands, W / 8>, Operands>;

template <FloatOp Op, unsigned Operands> Handler handlerFor(Type type) {
  switch (type) {
  case Type::F16:
    return packedHandler<element<half, Op>, 1, 16, Operands>;
  case Type::F16x2:
    return packedHandler<element<half, Op>, 2, 16, Operands>;
  case Type::BF16:
    return packedHandler<element<bfloat, Op>, 1, 16, Operands>;
  case Type::BF16x2:
    return packedHandler<element<bfloat, Op>, 2, 16, Operands>;
  case Type::F32x2:
    return packedHandler<element<single, Op>, 2, 32, Operands>;
  default:
    return nullptr;
  }
}

Handler shortHandlerFor(std::string_view name, bool isSignedType) {
  if (name == "add")
    return packedHandler<shortElement<FloatOp::Add, false>, 2, 16, 2>;
  if (name == "min")
    return isSignedType ? packedHandler<shortElement<FloatOp::Min, true>, 2, 16, 2>
                        : packedHandler<shortElement<FloatOp::Min, false>, 2, 16, 2>;
  if (name == "max")
    return isSignedType ? packedHandler<shortElement<FloatOp::Max, true>, 2, 16, 2>
                        : packedHandler<shortElement<FloatOp::Max, false>, 2, 16, 2>;
  return nullptr;
}

} // namespace

bool decodePacked(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  form.takeRounding();
  form.takeFlag("ftz", FlagFtz);
  form.takeFlag("sat", FlagSat);
  form.takeFlag("relu", FlagRelu);
  form.takeFlag("NaN", FlagNan);
  if (!form.takeXorSign() || !form.takeType(inst.type))
    return false;
  unsigned operands = 2;
  if (inst.type == Type::U16x2 || inst.type == Type::S16x2) {
    inst.run = inst.flags ? nullptr : shortHandlerFor(name, inst.type == Type::S16x2);
  } else if (name == "add") {
    inst.run = handlerFor<FloatOp::Add, 2>(inst.type);
  } else if (name == "sub") {
    inst.run = handlerFor<FloatOp::Subtract, 2>(inst.type);
  } else if (name == "mul") {
    inst.run = handlerFor<FloatOp::Multiply, 2>(inst.type);
  } else if (name == "fma") {
    inst.run = handlerFor<FloatOp::Fma, 3>(inst.type);
    operands = 3;
  } else if (inst.type == Type::F32x2) { // which has no more
    return false;
  } else if (name == "min" || name == "max") {
    inst.run =
        name == "max" ? handlerFor<FloatOp::Max, 2>(inst.type) : handlerFor<FloatOp::Min, 2>(inst.type);
  } else if (name == "abs" || name == "neg") {
    inst.run =
        name == "abs" ? handlerFor<FloatOp::Abs, 1>(inst.type) : handlerFor<FloatOp::Neg, 1>(inst.type);
    operands = 1;
  }
  // Halves round to nearest only; only f32x2 has the other directions.
  if (!inst.run || (inst.type != Type::F32x2 && inst.rounding != Rounding::Nearest))
    return false;
  const Type type = inst.type;
  return operands == 3   ? form.operands(type, {type, type, type})
         : operands == 2 ? form.operands(type, {type, type})
                         : form.operands(type, {type});
}

} // namespace tegula::runtime::ptx
