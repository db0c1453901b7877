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
    return decodePacked(form);
  case Type::U16x2:
  case Type::S16x2:
    return decodePacked(form);
  default:
    return decodeInteger(form);
  }
}

constexpr Decoder decoders[] = {
    {"add", decodeArithmetic},
    {"sub", decodeArithmetic},
    {"mul", decodeArithmetic},
    {"mad", decodeArithmetic},
    {"fma", decodeArithmetic},
    {"div", decodeArithmetic},
    {"rem", decodeArithmetic},
    {"abs", decodeArithmetic},
    {"neg", decodeArithmetic},
    {"min", decodeArithmetic},
    {"max", decodeArithmetic},
    {"addc", decodeInteger},
    {"subc", decodeInteger},
    {"madc", decodeInteger},
    {"sad", decodeInteger},
    {"dp4a", decodeInteger},
    {"dp2a", decodeInteger},
    {"and", decodeBits},
    {"or", decodeBits},
    {"xor", decodeBits},
    {"not", decodeBits},
    {"cnot", decodeBits},
    {"shl", decodeBits},
    {"shr", decodeBits},
    {"shf", decodeBits},
    {"bfe", decodeBits},
    {"bfi", decodeBits},
    {"bfind", decodeBits},
    {"brev", decodeBits},
    {"clz", decodeBits},
    {"popc", decodeBits},
    {"prmt", decodeBits},
    {"lop3", decodeBits},
    {"bmsk", decodeBits},
    {"ex2", decodeApprox},
    {"lg2", decodeApprox},
    {"rcp", decodeApprox},
    {"sqrt", decodeApprox},
    {"rsqrt", decodeApprox},
    {"sin", decodeApprox},
    {"cos", decodeApprox},
    {"tanh", decodeApprox},
    {"cvt", decodeConvert},
    {"szext", decodeConvert},
    {"setp", decodeCompare},
    {"set", decodeCompare},
    {"selp", decodeCompare},
    {"slct", decodeCompare},
    {"testp", decodeCompare},
    {"copysign", decodeCompare},
    {"mov", decodeMove},
    {"cvta", decodeMove},
    {"isspacep", decodeMove},
    {"createpolicy", decodeMove},
    {"mapa", decodeMove},
    {"ld", decodeMemory},
    {"ldu", decodeMemory},
    {"st", decodeMemory},
    {"prefetch", decodeMemory},
    {"prefetchu", decodeMemory},
    {"applypriority", decodeMemory},
    {"discard", decodeMemory},
    {"atom", decodeAtomic},
    {"red", decodeAtomic},
    {"cp", decodeAsyncCopy},
    {"mbarrier", decodeMbarrier},
    {"mma", decodeMatrix},
    {"wgmma", decodeGroupProduct},
    {"ldmatrix", decodeMatrixMemory},
    {"stmatrix", decodeMatrixMemory},
    {"movmatrix", decodeMatrixMemory},
    {"shfl", decodeWarp},
    {"vote", decodeWarp},
    {"match", decodeWarp},
    {"redux", decodeWarp},
    {"elect", decodeWarp},
    {"activemask", decodeWarp},
    {"bra", decodeControl},
    {"brx", decodeControl},
    {"call", decodeControl},
    {"ret", decodeControl},
    {"exit", decodeControl},
    {"trap", decodeControl},
    {"bar", decodeControl},
    {"barrier", decodeControl},
    {"membar", decodeControl},
    {"fence", decodeControl},
    {"nanosleep", decodeControl},
    {"griddepcontrol", decodeControl},
    {"setmaxnreg", decodeRegisters},
    {"pmevent", decodeControl},
    {"expect", decodeExpect},
};

} // namespace

Result<Module> parse(std::string_view text) { return parse(text, decoders); }

} // namespace tegula::runtime::ptx
