// Arithmetic in f32 of which some operands are f16 or bf16 (sm_100 and later): `add`, `sub`, `fma`.

#include "runtime/emulator/ops/FloatMath.h"
#include "runtime/emulator/ops/Lanewise.h"
#include "runtime/emulator/ops/Opcodes.h"

namespace tegula::runtime::ptx {

namespace {

/// The f32 of the same value; every one of a narrower format exists.
template <const Format &Narrow> uint64_t widened(uint64_t bits) {
  return bitsOfFloat(float(toDouble(bits, Narrow)));
}

template <const Format &Narrow, FloatOp Op> uint64_t mixedSum(const Inst &inst, uint64_t a, uint64_t c) {
  return narrowOp<single, Op>(inst, widened<Narrow>(a), c, 0);
}
template <const Format &Narrow> uint64_t mixedFma(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  return narrowOp<single, FloatOp::Fma>(inst, widened<Narrow>(a), widened<Narrow>(b), c);
}

template <const Format &Narrow> Handler handlerFor(std::string_view opcode) {
  if (opcode == "add")
    return binary<mixedSum<Narrow, FloatOp::Add>>;
  if (opcode == "sub")
    return binary<mixedSum<Narrow, FloatOp::Subtract>>;
  return opcode == "fma" ? ternary<mixedFma<Narrow>> : nullptr;
}

} // namespace

bool decodeMixed(Form &form) {
  Inst &inst = form.inst;
  const bool isFma = form.opcode() == "fma";
  const bool rounded = form.takeRounding();
  form.takeFlag("sat", FlagSat);
  Type narrow;
  if (!form.takeType(inst.type) || !form.takeType(narrow) || (isFma && !rounded))
    return false;
  inst.run = narrow == Type::F16 ? handlerFor<half>(form.opcode()) : handlerFor<bfloat>(form.opcode());
  if (!inst.run || !form.expectOperands(isFma ? 4 : 3) || !form.destination(0, inst.type, inst.dst) ||
      !form.source(1, narrow, inst.src[0]))
    return false;
  // The added operand is wide.
  return isFma ? form.source(2, narrow, inst.src[1]) && form.source(3, inst.type, inst.src[2])
               : form.source(2, inst.type, inst.src[1]);
}

} // namespace tegula::runtime::ptx
