#include "runtime/emulator/ops/Opcodes.h"

namespace tegula::runtime::ptx {

namespace {

/// Sends an arithmetic opcode to the file of its last type, or of both where they are f32 and a half.
bool decodeArithmetic(Form &form) {
  Type type = Type::None, before = Type::None;
  for (const std::string_view modifier : form.modifiersLeft())
    if (const std::optional<Type> candidate = parseType(modifier)) {
      before = type;
      type = *candidate;
    }
  if (before == Type::F32 && (type == Type::F16 || type == Type::BF16))
    return decodeMixed(form);
  switch (type) {
  case Type::F32:
  case Type::F64:
    return decodeFloat(form);
  case Type::F16:
  case Type::BF16:
  case Type::F16x2:
  case Type::BF16x2:
  case Type::F32x2:
  case Type::U16x2:
  case Type::S16x2:
    return decodePacked(form);
  default:
    return decodeInteger(form);
  }
}

constexpr Decoder decoders[] = {
    {decodeArithmetic, {"add", "sub", "mul", "mad", "fma", "div", "rem", "abs", "neg", "min", "max"}},
    {decodeInteger, {"addc", "subc", "madc", "sad", "dp4a", "dp2a"}},
    {decodeBits,
     {"and", "or", "xor", "not", "cnot", "shl", "shr", "shf", "bfe", "bfi", "bfind", "brev", "clz", "popc",
      "prmt", "lop3", "bmsk"}},
    {decodeApprox, {"ex2", "lg2", "rcp", "sqrt", "rsqrt", "sin", "cos", "tanh"}},
    {decodeConvert, {"cvt", "szext"}},
    {decodeCompare, {"setp", "set", "selp", "slct", "testp", "copysign"}},
    {decodeMove, {"mov", "cvta", "isspacep", "createpolicy", "mapa", "getctarank"}},
    {decodeMemory, {"ld", "ldu", "st", "prefetch", "prefetchu", "applypriority", "discard"}},
    {decodeAtomic, {"atom", "red"}},
    {decodeAsyncCopy, {"cp"}},
    {decodeMbarrier, {"mbarrier"}},
    {decodeMatrix, {"mma"}},
    {decodeGroupProduct, {"wgmma"}},
    {decodeMatrixMemory, {"ldmatrix", "stmatrix", "movmatrix"}},
    {decodeWarp, {"shfl", "vote", "match", "redux", "elect", "activemask"}},
    {decodeControl,
     {"bra", "brx", "call", "ret", "exit", "trap", "bar", "barrier", "membar", "fence", "nanosleep",
      "griddepcontrol", "pmevent"}},
    {decodeRegisters, {"setmaxnreg"}},
    {decodeExpect, {"expect"}},
};

} // namespace

Result<Module> parse(std::string_view text) { return parse(text, decoders); }

} // namespace tegula::runtime::ptx
