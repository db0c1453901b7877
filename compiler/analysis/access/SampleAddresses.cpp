#include "compiler/analysis/access/SampleAddresses.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula {

namespace {

using Samples = std::vector<int64_t>;

/// Enough for the addresses of real kernels. A value that is used twice is computed twice, so the bound also
/// keeps sums of sums of sums from taking for ever.
constexpr unsigned MaxVisits = 256;

/// Numbers wrap as 64 bits do; those of fewer bits are taken not to.
int64_t wrapped(uint64_t number) { return int64_t(number); }

/// One op of two integers; nothing for ops that are not known here, and for divisions by 0.
std::optional<int64_t> combine(Operation *op, int64_t a, int64_t b) {
  using Answer = std::optional<int64_t>;
  bool mayDivide = b != 0 && !(b == -1 && a == INT64_MIN), mayShift = b >= 0 && b < 64;
  uint64_t x = uint64_t(a), y = uint64_t(b);
  return llvm::TypeSwitch<Operation *, Answer>(op)
      .Case<arith::AddIOp>([&](auto) { return wrapped(x + y); })
      .Case<arith::SubIOp>([&](auto) { return wrapped(x - y); })
      .Case<arith::MulIOp>([&](auto) { return wrapped(x * y); })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) { return mayDivide ? Answer(a / b) : Answer(); })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) { return mayDivide ? Answer(a % b) : Answer(); })
      .Case<arith::AndIOp>([&](auto) { return a & b; })
      .Case<arith::OrIOp>([&](auto) { return a | b; })
      .Case<arith::XOrIOp>([&](auto) { return a ^ b; })
      .Case<arith::ShLIOp>([&](auto) { return mayShift ? Answer(wrapped(x << y)) : Answer(); })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto) { return mayShift ? Answer(a >> b) : Answer(); })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) { return std::min(a, b); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto) { return std::max(a, b); })
      .Default([](Operation *) { return Answer(); });
}

class Sampler {
public:
  explicit Sampler(int64_t unknown) : unknown(unknown) {}

  std::optional<Samples> of(Value value, ArrayRef<Place> places) {
    if (++visits > MaxVisits)
      return std::nullopt;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return ofScalar(value, places.size());
    if (auto argument = dyn_cast<BlockArgument>(value))
      return ofCarried(argument, places);
    return through(value.getDefiningOp(), places);
  }

private:
  std::optional<Samples> ofScalar(Value value, size_t count) {
    if (isa<tile::PtrType>(value.getType()))
      return Samples(count, 0);
    return Samples(count, getConstantIntValue(value).value_or(unknown));
  }

  /// Samples the value in the first iteration.
  std::optional<Samples> ofCarried(BlockArgument argument, ArrayRef<Place> places) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
    return init ? of(init->get(), places) : std::nullopt;
  }

  /// `value` at places that `move` makes of `places`.
  std::optional<Samples> at(Value value, ArrayRef<Place> places,
                            llvm::function_ref<Place(const Place &)> move) {
    SmallVector<Place> moved;
    for (const Place &place : places)
      moved.push_back(move(place));
    return of(value, moved);
  }

  std::optional<Samples> through(Operation *op, ArrayRef<Place> places) {
    if (auto range = dyn_cast<tile::ArangeOp>(op)) {
      Samples samples;
      for (const Place &place : places)
        samples.push_back(int64_t(range.getStart()) + place[0]);
      return samples;
    }
    if (isa<arith::ConstantOp>(op)) {
      std::optional<int64_t> number = getConstantIntValue(op->getResult(0));
      return number ? std::optional(Samples(places.size(), *number)) : std::nullopt;
    }
    if (auto splat = dyn_cast<tile::SplatOp>(op))
      return ofScalar(splat.getSource(), places.size());
    if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
      return at(expand.getSource(), places, [&](Place place) {
        place.erase(place.begin() + expand.getAxis());
        return place;
      });
    if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
      auto sides = cast<RankedTensorType>(broadcast.getSource().getType()).getShape();
      return at(broadcast.getSource(), places, [&](Place place) {
        for (auto [coordinate, side] : llvm::zip_equal(place, sides))
          coordinate %= side;
        return place;
      });
    }
    if (auto trans = dyn_cast<tile::TransOp>(op))
      return at(trans.getSource(), places, [&](const Place &place) {
        Place before(place.size());
        for (auto [coordinate, from] : llvm::zip_equal(place, trans.getOrder()))
          before[size_t(from)] = coordinate;
        return before;
      });
    if (isa<tile::ConvertLayoutOp, tile::HintOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
      return of(op->getOperand(0), places);
    return elementwise(op, places);
  }

  std::optional<Samples> elementwise(Operation *op, ArrayRef<Place> places) {
    // Others of two operands, as a reduction of pairs, have operands of other places.
    if (op->getNumOperands() != 2 || !(isa<tile::AddPtrOp>(op) || isa<arith::ArithDialect>(op->getDialect())))
      return std::nullopt;
    std::optional<Samples> a = of(op->getOperand(0), places), b = of(op->getOperand(1), places);
    if (!a || !b)
      return std::nullopt;
    int64_t step = 0;
    if (auto add = dyn_cast<tile::AddPtrOp>(op))
      step = int64_t(cast<tile::PtrType>(tile::elementTypeOf(add.getType())).getPointeeBytes());
    for (auto [x, y] : llvm::zip_equal(*a, *b)) {
      std::optional<int64_t> result =
          step ? std::optional(wrapped(uint64_t(x) + uint64_t(y) * uint64_t(step))) : combine(op, x, y);
      if (!result)
        return std::nullopt;
      x = *result;
    }
    return a;
  }

  int64_t unknown;
  unsigned visits = 0;
};

} // namespace

std::optional<std::vector<int64_t>> sampleAddresses(Value pointers, ArrayRef<Place> places, int64_t unknown) {
  return Sampler(unknown).of(pointers, places);
}

} // namespace tegula
