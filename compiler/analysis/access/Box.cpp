#include "compiler/analysis/access/Box.h"
#include "compiler/analysis/integers/AxisInfo.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <limits>

using namespace mlir;

namespace tegula {

namespace {

constexpr int64_t Unbounded = -1; ///< the size of an axis that nothing bounds

/// `polynomial` with `places` saying which symbol of the map each of its own is.
AffineExpr asExpr(const Polynomial &polynomial, ArrayRef<unsigned> places, MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (const auto &[product, factor] : polynomial.products()) {
    AffineExpr term = getAffineConstantExpr(factor, context);
    for (Polynomial::Symbol symbol : product)
      term = (symbol == Box::Iteration ? getAffineDimExpr(0, context)
                                       : getAffineSymbolExpr(places[symbol], context)) *
             term;
    sum = sum + term;
  }
  return sum;
}

/// Reverses `asExpr`; the map's symbol number s is symbol s + 1.
Polynomial asPolynomial(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Polynomial(constant.getValue());
  if (isa<AffineDimExpr>(expr))
    return Polynomial::symbol(Box::Iteration);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return Polynomial::symbol(symbol.getPosition() + 1);
  auto both = cast<AffineBinaryOpExpr>(expr);
  const Polynomial left = asPolynomial(both.getLHS()), right = asPolynomial(both.getRHS());
  return both.getKind() == AffineExprKind::Add ? left + right : left * right;
}

/// The numbers of `op`, of which `values` are those that are no constants.
SmallVector<LaunchValue> numbersOf(ArrayRef<int64_t> constants, OperandRange values) {
  SmallVector<LaunchValue> numbers;
  for (int64_t constant : constants)
    if (ShapedType::isDynamic(constant)) {
      numbers.push_back({values.front(), 0});
      values = values.drop_front();
    } else {
      numbers.push_back({{}, constant});
    }
  return numbers;
}

/// Numbers in the form that `numbersOf` reads.
struct Numbers {
  SmallVector<int64_t> constants;
  SmallVector<Value> values;

  void add(const LaunchValue &number) {
    constants.push_back(number.parameter ? ShapedType::kDynamic : number.constant);
    if (number.parameter)
      values.push_back(number.parameter);
  }
};

} // namespace

int64_t divisibilityOf(const LaunchValue &number) {
  if (!number.parameter)
    return powerOfTwoDivisor(number.constant);
  tile::ParamAttr param = paramOf(number.parameter);
  return param ? param.getDivisibility() : 1;
}

Box Box::of(tile::BoxOp op) {
  Box box;
  box.base = op.getBase();
  const SmallVector<LaunchValue> sizes = numbersOf(op.getStaticSizes(), op.getSizes()),
                                 strides = numbersOf(op.getStaticStrides(), op.getStrides());
  for (auto [axis, start] : llvm::enumerate(op.getStarts().getResults())) {
    const bool isBounded = sizes[axis] != LaunchValue{{}, Unbounded};
    box.axes.push_back({.stride = strides[axis],
                        .size = isBounded ? std::optional(sizes[axis]) : std::nullopt,
                        .start = asPolynomial(start),
                        .multiple = op.getMultiples()[axis],
                        .isBoundedInFront = llvm::is_contained(op.getInFront(), int32_t(axis)),
                        .isSaturated = llvm::is_contained(op.getSaturated(), int32_t(axis))});
  }
  if (!op.getRound().empty())
    box.counter = op.getRound()[0], box.first = op.getRound()[1], box.step = op.getRound()[2];
  llvm::append_range(box.symbols, op.getSymbols());
  return box;
}

tile::BoxOp Box::write(OpBuilder &builder, Location loc) const {
  Numbers sizes, strides;
  SmallVector<int64_t> multiples;
  SmallVector<int32_t> inFront, saturated;
  for (auto [number, axis] : llvm::enumerate(axes)) {
    sizes.add(axis.size.value_or(LaunchValue{{}, Unbounded}));
    strides.add(axis.stride);
    multiples.push_back(axis.multiple);
    if (axis.isBoundedInFront)
      inFront.push_back(int32_t(number));
    if (axis.isSaturated)
      saturated.push_back(int32_t(number));
  }
  auto isUsed = [&](Polynomial::Symbol symbol) {
    return llvm::any_of(axes, [&](const BoxAxis &axis) { return axis.start.has(symbol); });
  };
  SmallVector<unsigned> places(symbols.size());
  SmallVector<Value> used;
  for (Polynomial::Symbol symbol = Iteration + 1; symbol < symbols.size(); ++symbol)
    if (isUsed(symbol)) {
      places[symbol] = unsigned(used.size());
      used.push_back(symbols[symbol]);
    }
  SmallVector<AffineExpr> starts;
  for (const BoxAxis &axis : axes)
    starts.push_back(asExpr(axis.start, places, builder.getContext()));
  const SmallVector<Value, 3> round =
      isUsed(Iteration) ? SmallVector<Value, 3>{counter, first, step} : SmallVector<Value, 3>();
  return tile::BoxOp::create(builder, loc, tile::BoxType::get(builder.getContext()), base, sizes.values,
                             sizes.constants, strides.values, strides.constants,
                             AffineMap::get(1, unsigned(used.size()), starts, builder.getContext()), round,
                             used, multiples, inFront, saturated);
}

Value Box::startOf(const BoxAxis &axis, OpBuilder &builder, Location loc) const {
  const unsigned bits = axis.isSaturated ? 64 : 32;
  Type type = builder.getIntegerType(bits);
  auto resized = [&](Value value) -> Value {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    if (width > bits)
      return arith::TruncIOp::create(builder, loc, type, value);
    return width < bits ? arith::ExtSIOp::create(builder, loc, type, value).getResult() : value;
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, type, value);
  };
  // How far the counter has come: the trip times the step.
  auto distance = [&] { return builder.createOrFold<arith::SubIOp>(loc, resized(counter), resized(first)); };
  std::optional<int64_t> each = step ? getConstantIntValue(step) : std::nullopt;
  Value sum;
  for (const auto &[product, found] : axis.start.products()) {
    int64_t factor = found;
    SmallVector<Value> values;
    for (Polynomial::Symbol symbol : product) {
      if (symbol != Iteration) {
        values.push_back(resized(symbols[symbol]));
      } else if (each && factor % *each == 0) {
        factor /= *each;
        values.push_back(distance());
      } else {
        values.push_back(arith::DivUIOp::create(builder, loc, distance(), resized(step)));
      }
    }
    if (factor != 1 || values.empty())
      values.push_back(constant(factor));
    Value term = values.front();
    for (Value value : ArrayRef(values).drop_front())
      term = builder.createOrFold<arith::MulIOp>(loc, term, value);
    sum = sum ? builder.createOrFold<arith::AddIOp>(loc, sum, term) : term;
  }
  if (!sum)
    sum = constant(0);
  if (!axis.isSaturated)
    return sum;
  Value most = constant(std::numeric_limits<int32_t>::max());
  return arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                 arith::MinSIOp::create(builder, loc, sum, most));
}

SmallVector<Value> Box::valuesIn(const BoxAxis &axis) const {
  SmallVector<Value> values;
  for (const auto &[product, factor] : axis.start.products())
    for (Polynomial::Symbol symbol : product)
      if (symbol != Iteration)
        values.push_back(symbols[symbol]);
  return values;
}

bool Box::areStridesAligned(const BoxAxis &contiguous, int64_t elements) const {
  return llvm::all_of(axes, [&](const BoxAxis &axis) {
    return &axis == &contiguous || divisibilityOf(axis.stride) % elements == 0;
  });
}

void sayNoBox(Operation *access, const Reason &why) {
  Builder builder(access->getContext());
  access->setAttr(NoBoxAttrName, builder.getStringAttr(why.text));
  if (access->getContext()->getRemarkEngine())
    access->setAttr(NoBoxAdviceAttrName, builder.getStringAttr(why.advice.change));
}

Reason whyNoBox(Operation *access) {
  auto reason = access->getAttrOfType<StringAttr>(NoBoxAttrName);
  if (!reason)
    return because("it stands in no loop").nothingToDo();
  Reason why{reason.str()};
  if (auto advice = access->getAttrOfType<StringAttr>(NoBoxAdviceAttrName))
    why.advice = {advice.str(), advice.empty()};
  return why;
}

void eraseUnusedBoxes(func::FuncOp kernel) {
  kernel.walk([](tile::BoxOp box) {
    if (box.use_empty())
      box.erase();
  });
}

} // namespace tegula
