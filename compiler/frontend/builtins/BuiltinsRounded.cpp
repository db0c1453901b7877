// libdevice's arithmetic and conversions that say by a suffix how they round: `add_rd`, `float2int_rz`. Each
// is one instruction. Quotients, roots and fused products to nearest are what they are without a suffix.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/builtins/BuiltinsMath.h"

#include "dialect/tile/Tile.h"

using namespace tegula;
using namespace tegula::eval;
using tile::RoundedKind;
using tile::RoundingMode;

namespace {

/// What the last two letters of a function's name say: CUDA's `rd` and `ru` are PTX's `.rm` and `.rp`.
RoundingMode modeOf(const Call &call) {
  const std::string_view name = call.builtin.name;
  switch (name.back()) {
  case 'n':
    return RoundingMode::Nearest;
  case 'z':
    return RoundingMode::Zero;
  case 'd':
    return RoundingMode::Down;
  default:
    return RoundingMode::Up;
  }
}

Value rounded(Call &call, RoundedKind kind, llvm::ArrayRef<Tensor> operands, Dtype result) {
  llvm::SmallVector<mlir::Value, 3> values;
  for (const Tensor &operand : operands)
    values.push_back(operand.ir);
  mlir::Type type = call.emit.type(result, operands.front().shape());
  return Tensor{call.emit.make<tile::RoundedOp>(type, kind, modeOf(call), values), result};
}

/// The arguments, each fp32 or fp64, in one type and shape.
std::optional<llvm::SmallVector<Tensor, 3>> unifiedFloats(Call &call) {
  llvm::SmallVector<Tensor, 3> operands;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    std::optional<Tensor> operand = floatArgument(call, i);
    if (!operand)
      return std::nullopt;
    operands.push_back(*operand);
  }
  const std::string name = "`" + qualifiedName(call.builtin) + "`";
  // Twice, so that the first meets what the last has made of the others.
  for (size_t round = 0; round < 2; ++round)
    for (size_t i = 1; i < operands.size(); ++i) {
      std::optional<Semantics::Pair> pair =
          call.semantics.unify(Value(operands[i - 1]), Value(operands[i]), {}, name, call.range);
      if (!pair)
        return std::nullopt;
      operands[i - 1] = pair->left;
      operands[i] = pair->right;
    }
  return operands;
}

template <RoundedKind kind> Value arithmetic(Call &call) {
  std::optional<llvm::SmallVector<Tensor, 3>> operands = unifiedFloats(call);
  return operands ? rounded(call, kind, *operands, operands->front().dtype) : Value(Poison());
}

/// `x - y` is `x + -y`, to the sign of a zero.
Value subtract(Call &call) {
  std::optional<llvm::SmallVector<Tensor, 3>> operands = unifiedFloats(call);
  if (!operands)
    return Poison();
  Tensor &right = operands->back();
  right.ir = call.emit.make<mlir::arith::NegFOp>(right.ir);
  return rounded(call, RoundedKind::Add, *operands, right.dtype);
}

template <ScalarKind from, ScalarKind to> Value convert(Call &call) {
  std::optional<Tensor> value = call.tensor(0);
  if (!value)
    return Poison();
  if (!value->dtype.is(from))
    return call.errorAt(0, "expected " + typeName(Dtype{from}) + ", found " + typeName(value->dtype));
  const bool isUnsigned = Dtype{from}.isUnsigned() || Dtype{to}.isUnsigned();
  return rounded(call, isUnsigned ? RoundedKind::CastUnsigned : RoundedKind::Cast, *value, Dtype{to});
}

constexpr ScalarKind f32 = ScalarKind::Float32, f64 = ScalarKind::Float64, i32 = ScalarKind::Int32,
                     u32 = ScalarKind::UInt32, i64 = ScalarKind::Int64, u64 = ScalarKind::UInt64;

// clang-format off
#define EACH_DIRECTION(name, signature, ...)                                                                  \
  {name "_rz", InLibdevice, signature, __VA_ARGS__}, {name "_rd", InLibdevice, signature, __VA_ARGS__},       \
  {name "_ru", InLibdevice, signature, __VA_ARGS__}
#define EACH_WAY(name, signature, ...)                                                                        \
  {name "_rn", InLibdevice, signature, __VA_ARGS__}, EACH_DIRECTION(name, signature, __VA_ARGS__)

constexpr Builtin table[] = {
    EACH_WAY("add", "x, y", arithmetic<RoundedKind::Add>),
    EACH_WAY("sub", "x, y", subtract),
    EACH_WAY("mul", "x, y", arithmetic<RoundedKind::Mul>),
    EACH_DIRECTION("div", "x, y", arithmetic<RoundedKind::Div>),
    EACH_DIRECTION("fma", "x, y, z", arithmetic<RoundedKind::Fma>),
    EACH_WAY("rcp", "x", arithmetic<RoundedKind::Rcp>),
    EACH_DIRECTION("sqrt", "x", arithmetic<RoundedKind::Sqrt>),
    EACH_WAY("float2int", "x", convert<f32, i32>),
    EACH_WAY("float2uint", "x", convert<f32, u32>),
    EACH_WAY("float2ll", "x", convert<f32, i64>),
    EACH_WAY("float2ull", "x", convert<f32, u64>),
    EACH_WAY("double2int", "x", convert<f64, i32>),
    EACH_WAY("double2uint", "x", convert<f64, u32>),
    EACH_WAY("double2ll", "x", convert<f64, i64>),
    EACH_WAY("double2ull", "x", convert<f64, u64>),
    EACH_WAY("int2float", "x", convert<i32, f32>),
    EACH_WAY("uint2float", "x", convert<u32, f32>),
    EACH_WAY("ll2float", "x", convert<i64, f32>),
    EACH_WAY("ull2float", "x", convert<u64, f32>),
    EACH_WAY("ll2double", "x", convert<i64, f64>),
    EACH_WAY("ull2double", "x", convert<u64, f64>),
    EACH_WAY("double2float", "x", convert<f64, f32>),
    {"int2double_rn", InLibdevice, "x", convert<i32, f64>},
    {"uint2double_rn", InLibdevice, "x", convert<u32, f64>},
};
#undef EACH_WAY
#undef EACH_DIRECTION
// clang-format on

} // namespace

std::span<const Builtin> eval::roundedBuiltins() { return table; }
