// libdevice's arithmetic and conversions that say by a suffix how they round: `add_rd`, `float2int_rz`. Each
// is one instruction. Quotients, roots and fused products to nearest are what they are without a suffix.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/builtins/tensor/BuiltinsMath.h"

#include "dialect/tile/Tile.h"

using namespace tegula;
using namespace tegula::eval;
using tile::RoundedKind;
using tile::RoundingMode;

namespace {

/// Returns the mode in the last two letters of a function's name: CUDA's `rd` and `ru` are PTX's `.rm` and
/// `.rp`.
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
  mlir::Type type = call.emit.type(result, operands.front().shape());
  return Tensor{call.emit.make<tile::RoundedOp>(type, kind, modeOf(call), irOf(operands)), result};
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
Value sub(Call &call) {
  std::optional<llvm::SmallVector<Tensor, 3>> operands = unifiedFloats(call);
  if (!operands)
    return Poison();
  Tensor &right = operands->back();
  right.ir = call.emit.make<mlir::arith::NegFOp>(right.ir);
  return rounded(call, RoundedKind::Add, *operands, right.dtype);
}

template <ScalarKind from, ScalarKind to> Value convert(Call &call, Tensor value) {
  if (!value.dtype.is(from))
    return call.errorAt(0, "expected " + typeName(Dtype{from}) + ", found " + typeName(value.dtype));
  const bool isUnsigned = Dtype{from}.isUnsigned() || Dtype{to}.isUnsigned();
  return rounded(call, isUnsigned ? RoundedKind::CastUnsigned : RoundedKind::Cast, value, Dtype{to});
}

constexpr ScalarKind f32 = ScalarKind::Float32, f64 = ScalarKind::Float64, i32 = ScalarKind::Int32,
                     u32 = ScalarKind::UInt32, i64 = ScalarKind::Int64, u64 = ScalarKind::UInt64;

constexpr auto add = arithmetic<RoundedKind::Add>, mul = arithmetic<RoundedKind::Mul>,
               div = arithmetic<RoundedKind::Div>, fma = arithmetic<RoundedKind::Fma>,
               rcp = arithmetic<RoundedKind::Rcp>, sqrt = arithmetic<RoundedKind::Sqrt>;
constexpr auto float2int = convert<f32, i32>, float2uint = convert<f32, u32>, float2ll = convert<f32, i64>,
               float2ull = convert<f32, u64>, double2int = convert<f64, i32>, double2uint = convert<f64, u32>,
               double2ll = convert<f64, i64>, double2ull = convert<f64, u64>, int2float = convert<i32, f32>,
               uint2float = convert<u32, f32>, ll2float = convert<i64, f32>, ull2float = convert<u64, f32>,
               ll2double = convert<i64, f64>, ull2double = convert<u64, f64>,
               double2float = convert<f64, f32>, int2doubleRn = convert<i32, f64>,
               uint2doubleRn = convert<u32, f64>;

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsRounded.inc"
