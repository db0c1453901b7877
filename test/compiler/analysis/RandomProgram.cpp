#include "test/compiler/analysis/RandomProgram.h"

#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <optional>

using namespace mlir;

namespace tegula::testing {

bool Known::isTensor() const { return isa<RankedTensorType>(value.getType()); }
int64_t Known::signedElement(size_t index) const { return llvm::SignExtend64(elements[index], width); }

namespace {

using Binary = std::optional<uint64_t> (*)(uint64_t, uint64_t, unsigned);

int64_t s(uint64_t x, unsigned width) { return llvm::SignExtend64(x, width); }

/// Returns true if `result`, of `Op` on x and y, is as an analysis with trust assumes.
template <typename Op> bool keepsTrust(uint64_t x, uint64_t y, uint64_t result, unsigned width) {
  bool neither = s(x, width) >= 0 && s(y, width) >= 0;
  if (std::is_same_v<Op, arith::DivSIOp>)
    return neither;
  if (std::is_same_v<Op, arith::RemSIOp>)
    return s(x, width) >= 0;
  if (std::is_same_v<Op, arith::AddIOp>)
    return !neither || s(result, width) >= 0;
  if (!neither)
    return true;
  // Neither is negative, so that this has room for it.
  __int128 exact = std::is_same_v<Op, arith::ShLIOp> ? __int128(x) << y : __int128(x) * __int128(y);
  bool grows = std::is_same_v<Op, arith::ShLIOp> || std::is_same_v<Op, arith::MulIOp>;
  return !grows || exact == __int128(s(result, width));
}

class Generator {
public:
  Generator(MLIRContext &context, std::mt19937_64 &random, Trust trust)
      : b(&context), random(random), trust(trust), loc(b.getUnknownLoc()) {}

  RandomProgram run(unsigned steps) {
    program.module = ModuleOp::create(loc);
    b.setInsertionPointToEnd(program.module->getBody());
    SmallVector<Type> types = {b.getI32Type(), b.getI32Type(), pointerType(), b.getI64Type()};
    auto function = func::FuncOp::create(b, loc, "random", b.getFunctionType(types, {}));
    Block *body = function.addEntryBlock();
    for (unsigned i = 0; i < types.size(); ++i)
      argument(function, i);
    b.setInsertionPointToEnd(body);
    func::ReturnOp::create(b, loc);
    b.setInsertionPointToStart(body);
    shapes = {{int64_t(1) << pick(6)}, {int64_t(1) << pick(4), int64_t(1) << pick(4)}};
    arange();
    for (unsigned i = 0; i < steps; ++i)
      step();
    return std::move(program);
  }

private:
  unsigned pick(unsigned below) { return unsigned(random() % below); }
  const Known &any() { return program.values[pick(unsigned(program.values.size()))]; }
  Type pointerType() { return tile::PtrType::get(b.getF32Type()); }

  /// A multiple of `divides`: small, of either sign, near an end of what `width` bits hold, or any.
  uint64_t multipleOf(uint32_t divides, unsigned width) {
    uint64_t small = random() % 4096 * divides;
    switch (pick(6)) {
    case 0:
      return -small;
    case 1:
      return (uint64_t(1) << (width - 1)) + (pick(2) ? small : -small);
    case 2:
      return random() * divides;
    default:
      return small;
    }
  }

  void argument(func::FuncOp function, unsigned index) {
    uint32_t divides = 1u << pick(7);
    bool pointer = index == 2;
    unsigned width = index >= 2 ? 64 : 32;
    uint64_t value = pointer ? random() % 4096 * divides : multipleOf(divides, width);
    bool nonNegative = !pointer && s(value, width) >= 0 && pick(3);
    StringRef spelling = pointer ? "*fp32" : width == 64 ? "i64" : "i32";
    auto param = tile::ParamAttr::get(b.getContext(), "a" + std::to_string(index), spelling, divides,
                                      nonNegative, /*constant=*/false);
    function.setArgAttr(index, "tile.param", param);
    add({function.getArgument(index), {1}, {value}, width, width, pointer});
  }

  void add(Known known) {
    for (uint64_t &element : known.elements)
      element &= llvm::maskTrailingOnes<uint64_t>(known.width);
    program.values.push_back(std::move(known));
  }

  Type typeOf(const Known &like, ArrayRef<int64_t> shape, bool tensor, unsigned width) {
    Type element = like.isPointer ? pointerType() : Type(b.getIntegerType(width));
    return tensor ? Type(RankedTensorType::get(shape, element)) : element;
  }

  /// A value of the same shape and width, made when there is none.
  std::optional<Known> partner(const Known &a) {
    std::vector<const Known *> fitting;
    for (const Known &known : program.values)
      if (known.shape == a.shape && known.width == a.width && !known.isPointer &&
          known.isTensor() == a.isTensor())
        fitting.push_back(&known);
    if (!fitting.empty() && pick(3))
      return *fitting[pick(unsigned(fitting.size()))];
    return constant(a);
  }

  Known constant(const Known &like) {
    uint64_t value = pick(2) ? uint64_t(1) << pick(std::min(like.width, 12u)) : random() % 200 - 50;
    if (pick(5) == 0)
      value -= 1;
    value &= llvm::maskTrailingOnes<uint64_t>(like.width);
    APInt bits(like.width, value);
    Value result;
    if (like.isTensor()) {
      auto type = RankedTensorType::get(like.shape, b.getIntegerType(like.width));
      result = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, bits));
    } else {
      result = arith::ConstantOp::create(b, loc, b.getIntegerAttr(b.getIntegerType(like.width), bits));
    }
    Known known{result, like.shape, std::vector<uint64_t>(like.elements.size(), value), like.width,
                like.width};
    add(known);
    return known;
  }

  void arange() {
    int32_t start = int32_t(pick(3)) * (1 << pick(5)), size = int32_t(shapes[pick(2)].back());
    auto type = RankedTensorType::get({size}, b.getI32Type());
    Known known{tile::ArangeOp::create(b, loc, type, uint32_t(start), uint32_t(start + size)), {size}, {}};
    for (int32_t i = 0; i < size; ++i)
      known.elements.push_back(uint64_t(start + i));
    add(std::move(known));
  }

  template <typename Op> bool binary(const Known &a, Binary compute) {
    if (a.isPointer || a.width == 1)
      return false;
    Known x = a;
    std::optional<Known> y = partner(x);
    if (pick(4) == 0)
      std::swap(x, *y);
    Known result{Value(), x.shape, {}, x.width, std::min(x.originWidth, y->originWidth)};
    for (size_t i = 0; i < x.elements.size(); ++i) {
      std::optional<uint64_t> element = compute(x.elements[i], y->elements[i], x.width);
      if (!element ||
          (trust == Trust::Signs && !keepsTrust<Op>(x.elements[i], y->elements[i], *element, x.width)))
        return false;
      result.elements.push_back(*element);
    }
    result.value = Op::create(b, loc, x.value, y->value);
    add(std::move(result));
    return true;
  }

  bool arithmetic(const Known &a) {
    switch (pick(16)) {
    case 0:
    case 1:
    case 2:
      return binary<arith::AddIOp>(a, [](uint64_t x, uint64_t y, unsigned) { return std::optional(x + y); });
    case 3:
      return binary<arith::SubIOp>(a, [](uint64_t x, uint64_t y, unsigned) { return std::optional(x - y); });
    case 4:
    case 5:
      return binary<arith::MulIOp>(a, [](uint64_t x, uint64_t y, unsigned) { return std::optional(x * y); });
    case 6:
      return binary<arith::DivUIOp>(
          a, [](uint64_t x, uint64_t y, unsigned) { return y ? std::optional(x / y) : std::nullopt; });
    case 7:
      return binary<arith::RemUIOp>(
          a, [](uint64_t x, uint64_t y, unsigned) { return y ? std::optional(x % y) : std::nullopt; });
    case 8:
      return binary<arith::DivSIOp>(a, [](uint64_t x, uint64_t y, unsigned w) {
        return y && s(y, w) != -1 ? std::optional(uint64_t(s(x, w) / s(y, w))) : std::nullopt;
      });
    case 9:
      return binary<arith::RemSIOp>(a, [](uint64_t x, uint64_t y, unsigned w) {
        return y && s(y, w) != -1 ? std::optional(uint64_t(s(x, w) % s(y, w))) : std::nullopt;
      });
    case 10:
      return binary<arith::AndIOp>(a, [](uint64_t x, uint64_t y, unsigned) { return std::optional(x & y); });
    case 11:
      return binary<arith::OrIOp>(a, [](uint64_t x, uint64_t y, unsigned) { return std::optional(x | y); });
    case 12:
      return binary<arith::XOrIOp>(a, [](uint64_t x, uint64_t y, unsigned) { return std::optional(x ^ y); });
    case 13:
      return binary<arith::ShLIOp>(
          a, [](uint64_t x, uint64_t y, unsigned w) { return y < w ? std::optional(x << y) : std::nullopt; });
    case 14:
      return binary<arith::ShRSIOp>(a, [](uint64_t x, uint64_t y, unsigned w) {
        return y < w ? std::optional(uint64_t(s(x, w) >> y)) : std::nullopt;
      });
    default:
      if (pick(2))
        return binary<arith::MinSIOp>(
            a, [](uint64_t x, uint64_t y, unsigned w) { return std::optional(s(x, w) < s(y, w) ? x : y); });
      return binary<arith::MaxUIOp>(
          a, [](uint64_t x, uint64_t y, unsigned) { return std::optional(std::max(x, y)); });
    }
  }

  /// `r < 0 ? r + n : r` with r = a % n, for any sign of a.
  bool floorRemainder(const Known &a) {
    if (a.isPointer || a.width == 1)
      return false;
    Known x = a, n = *partner(x), zero = x;
    for (uint64_t divisor : n.elements)
      if (divisor == 0 || s(divisor, x.width) == -1)
        return false;
    zero.elements.assign(x.elements.size(), 0);
    APInt none(x.width, 0);
    auto type = dyn_cast<RankedTensorType>(x.value.getType());
    zero.value = type ? arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, none))
                      : arith::ConstantOp::create(b, loc, b.getIntegerAttr(x.value.getType(), none));
    Value remainder = arith::RemSIOp::create(b, loc, x.value, n.value);
    Value below = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, remainder, zero.value);
    Value moved = pick(2) ? arith::AddIOp::create(b, loc, remainder, n.value)
                          : arith::AddIOp::create(b, loc, n.value, remainder);
    Known result = x;
    result.value = arith::SelectOp::create(b, loc, below, moved, remainder);
    result.originWidth = std::min(x.originWidth, n.originWidth);
    for (size_t i = 0; i < result.elements.size(); ++i) {
      int64_t by = s(n.elements[i], x.width);
      int64_t rest = by == -1 ? 0 : s(x.elements[i], x.width) % by;
      result.elements[i] = uint64_t(rest) + (rest < 0 ? uint64_t(by) : 0);
    }
    add(std::move(result));
    return true;
  }

  bool compare(const Known &a) {
    if (a.isPointer || a.width == 1)
      return false;
    Known x = a, y = *partner(a);
    auto predicate = arith::CmpIPredicate(pick(10));
    Known result{arith::CmpIOp::create(b, loc, predicate, x.value, y.value), x.shape, {}, 1, 1};
    for (size_t i = 0; i < x.elements.size(); ++i)
      result.elements.push_back(
          arith::applyCmpPredicate(predicate, APInt(x.width, x.elements[i]), APInt(x.width, y.elements[i])));
    add(std::move(result));
    return true;
  }

  bool select(const Known &a) {
    Known x = a;
    std::vector<const Known *> conditions;
    for (const Known &known : program.values)
      if (known.width == 1 && (known.shape == x.shape || !known.isTensor()))
        conditions.push_back(&known);
    if (conditions.empty() || x.isPointer)
      return false;
    Known c = *conditions[pick(unsigned(conditions.size()))], y = *partner(x);
    if (c.isTensor() && !x.isTensor())
      return false;
    Known result{arith::SelectOp::create(b, loc, c.value, x.value, y.value),
                 x.shape,
                 {},
                 x.width,
                 std::min(x.originWidth, y.originWidth)};
    for (size_t i = 0; i < x.elements.size(); ++i)
      result.elements.push_back(c.elements[c.isTensor() ? i : 0] & 1 ? x.elements[i] : y.elements[i]);
    add(std::move(result));
    return true;
  }

  bool cast(const Known &a) {
    if (a.isPointer)
      return false;
    unsigned width = std::array{8u, 32u, 64u}[pick(3)];
    if (width == a.width)
      return false;
    Known result = a;
    Type type = typeOf(a, a.shape, a.isTensor(), width);
    bool isSigned = pick(2);
    if (width < a.width)
      result.value = arith::TruncIOp::create(b, loc, type, a.value);
    else if (isSigned)
      result.value = arith::ExtSIOp::create(b, loc, type, a.value);
    else
      result.value = arith::ExtUIOp::create(b, loc, type, a.value);
    if (width > a.width && isSigned)
      for (uint64_t &element : result.elements)
        element = uint64_t(s(element, a.width));
    result.width = width;
    result.originWidth = std::min(width, a.originWidth);
    add(std::move(result));
    return true;
  }

  bool addPointer(const Known &a) {
    if (!a.isPointer)
      return false;
    Known base = a, like = a;
    like.width = pick(2) ? 32 : 64;
    Known offset = *partner(like);
    Known result = base;
    result.value = tile::AddPtrOp::create(b, loc, base.value.getType(), base.value, offset.value);
    for (size_t i = 0; i < result.elements.size(); ++i)
      result.elements[i] += 4 * uint64_t(offset.signedElement(i));
    result.originWidth = std::min(base.originWidth, offset.originWidth + 2);
    add(std::move(result));
    return true;
  }

  bool reshaped(const Known &a) {
    Known from = a;
    if (!from.isTensor()) {
      Known result = from;
      result.shape = shapes[pick(2)];
      int64_t size = std::reduce(result.shape.begin(), result.shape.end(), int64_t(1), std::multiplies<>());
      result.elements.assign(size_t(size), from.elements[0]);
      result.value = tile::SplatOp::create(b, loc, typeOf(from, result.shape, true, from.width), from.value);
      add(std::move(result));
      return true;
    }
    Known result = from;
    if (from.shape.size() == 1) {
      unsigned axis = pick(2);
      result.shape.insert(result.shape.begin() + axis, 1);
      result.value =
          tile::ExpandDimsOp::create(b, loc, typeOf(from, result.shape, true, from.width), from.value, axis);
      add(result);
      return broadcast(result);
    }
    size_t rows = size_t(from.shape[0]), columns = size_t(from.shape[1]);
    if (pick(2)) {
      result.shape = {from.shape[1], from.shape[0]};
      for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < columns; ++j)
          result.elements[j * rows + i] = from.elements[i * columns + j];
      result.value = tile::TransOp::create(b, loc, typeOf(from, result.shape, true, from.width), from.value,
                                           b.getDenseI32ArrayAttr({1, 0}));
    } else {
      int64_t size = int64_t(rows * columns), last = int64_t(1)
                                                     << pick(unsigned(llvm::Log2_64(uint64_t(size))) + 1);
      result.shape = pick(2) ? std::vector<int64_t>{size} : std::vector<int64_t>{size / last, last};
      result.value =
          tile::ReshapeOp::create(b, loc, typeOf(from, result.shape, true, from.width), from.value);
    }
    add(std::move(result));
    return true;
  }

  bool broadcast(Known from) {
    Known result = from;
    unsigned axis = from.shape[0] == 1 ? 0 : 1;
    result.shape[axis] = shapes[1][axis];
    result.elements.clear();
    for (int64_t i = 0; i < result.shape[0]; ++i)
      for (int64_t j = 0; j < result.shape[1]; ++j)
        result.elements.push_back(from.elements[size_t(axis == 0 ? j : i * from.shape[1])]);
    result.value =
        tile::BroadcastOp::create(b, loc, typeOf(from, result.shape, true, from.width), from.value);
    add(std::move(result));
    return true;
  }

  void step() {
    Known a = any();
    switch (pick(13)) {
    case 0:
      arange();
      break;
    case 7:
      floorRemainder(a);
      break;
    case 1:
    case 2:
      reshaped(a);
      break;
    case 3:
      cast(a);
      break;
    case 4:
      compare(a);
      break;
    case 5:
      select(a);
      break;
    case 6:
      addPointer(a);
      break;
    default:
      arithmetic(a);
      break;
    }
  }

  OpBuilder b;
  std::mt19937_64 &random;
  Trust trust;
  Location loc;
  RandomProgram program;
  std::vector<std::vector<int64_t>> shapes;
};

} // namespace

RandomProgram randomProgram(MLIRContext &context, std::mt19937_64 &random, unsigned steps, Trust trust) {
  return Generator(context, random, trust).run(steps);
}

} // namespace tegula::testing
