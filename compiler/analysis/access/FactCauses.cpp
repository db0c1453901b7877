#include "compiler/analysis/access/FactCauses.h"

#include "compiler/analysis/integers/KernelParam.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tegula {

namespace {

/// How much a cause tells the author, least first.
enum class Rank : uint8_t { Computed, Constant, Loaded, Parameter };

struct Found {
  Rank rank;
  Cause cause;
  Advice advice;
};

using Maybe = std::optional<Found>;

/// Returns the integer that `value`, a scalar or a tensor of equal elements, is.
std::optional<int64_t> integerOf(Value value) {
  APInt number;
  DenseIntElementsAttr elements;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<APInt>().getSExtValue();
  return std::nullopt;
}

bool isPointer(Value value) { return isa<tile::PtrType>(tile::elementTypeOf(value.getType())); }

/// The more telling of two, the first of equals.
Maybe better(Maybe a, Maybe b) { return !a || (b && b->rank > a->rank) ? b : a; }

std::string text(const Twine &twine) { return twine.str(); }

} // namespace

Cause causeAt(Value value, const Twine &fact, Operation *user) {
  if (tile::ParamAttr param = paramOf(value))
    return {("`" + param.getName() + "` " + fact).str(), value.getLoc()};
  if (std::optional<int64_t> number = integerOf(value))
    return {(Twine(*number) + " " + fact).str(), user ? user->getLoc() : value.getLoc()};
  Operation *op = value.getDefiningOp();
  if (op && tile::globalAccessOf(op).address)
    return {("what is loaded here " + fact).str(), value.getLoc()};
  if (isa_and_nonnull<tile::ProgramIdOp>(op))
    return {("the program's number " + fact).str(), value.getLoc()};
  return {("what is computed here " + fact).str(), value.getLoc()};
}

namespace {

/// One walk back. Each question is answered by what breaks it, or nothing where it holds.
class FactWalk {
public:
  explicit FactWalk(const AxisInfoAnalysis &facts) : facts(facts) {}

  /// Are there groups of `length` neighbours along `axis`?
  Maybe contiguous(Value value, unsigned axis, int64_t length);
  /// Is each element at a multiple of `group` along `axis` a multiple of `divisor`?
  Maybe multiple(Value value, unsigned axis, int64_t group, int64_t divisor, Operation *user);
  /// Are there groups of `length` equal elements along `axis`?
  Maybe constant(Value value, unsigned axis, int64_t length);

private:
  /// Enough for the address arithmetic of real kernels.
  static constexpr unsigned MaxVisits = 256;

  Maybe contiguousSum(Operation *op, unsigned axis, int64_t length);
  Maybe contiguousProduct(Operation *op, unsigned axis, int64_t length);
  Maybe notOne(Value factor, Operation *user);
  Maybe multipleOfParts(Operation *op, unsigned axis, int64_t group, int64_t divisor);
  Maybe multipleProduct(Operation *op, unsigned axis, int64_t group, int64_t divisor);
  Maybe multipleCarried(BlockArgument argument, int64_t group, int64_t divisor);
  Maybe notMultiple(Value value, int64_t divisor, Operation *user);
  Maybe constantBound(arith::CmpIOp compare, unsigned axis, int64_t length);
  Maybe loaded(Value value, const Twine &fact, StringRef hint);
  Maybe computed(Operation *op, const Twine &fact, StringRef change);

  /// The operand whose facts along the axis returned are those of `op`'s result, for ops that move elements.
  std::optional<std::pair<Value, unsigned>> moved(Operation *op, unsigned axis) const;

  AxisInfo of(Value value) const { return facts.of(value); }
  bool mayVisit() { return ++visits <= MaxVisits; }

  const AxisInfoAnalysis &facts;
  unsigned visits = 0;
};

constexpr StringLiteral SideBySide =
    "let neighbours lie side by side in memory: put the axis of stride 1 where the tile's "
    "elements count up, or keep a transposed copy of the array";

Maybe FactWalk::loaded(Value value, const Twine &fact, StringRef hint) {
  Operation *op = value.getDefiningOp();
  if (!op || !tile::globalAccessOf(op).address)
    return std::nullopt;
  return Found{
      Rank::Loaded, causeAt(value, fact), {("state what is known of it by `" + hint + "`").str(), false}};
}

Maybe FactWalk::computed(Operation *op, const Twine &fact, StringRef change) {
  return Found{Rank::Computed, {text(fact), op->getLoc()}, {change.str(), change.empty()}};
}

std::optional<std::pair<Value, unsigned>> FactWalk::moved(Operation *op, unsigned axis) const {
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp,
          tile::ConvertLayoutOp, tile::OptBarrierOp, tile::HintOp, tile::BitcastOp, tile::IntToPtrOp,
          tile::PtrToIntOp, tile::BroadcastOp>(op))
    return std::pair(op->getOperand(0), axis);
  if (isa<tile::SplatOp>(op))
    return std::pair(op->getOperand(0), 0u);
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
    const auto added = unsigned(expand.getAxis());
    // Along the axis that is new there is one element: what is asked of it is asked of each.
    return std::pair(op->getOperand(0),
                     axis > added ? axis - 1 : std::min(axis, of(op->getOperand(0)).rank() - 1));
  }
  if (auto trans = dyn_cast<tile::TransOp>(op))
    return std::pair(op->getOperand(0), unsigned(trans.getOrder()[axis]));
  if (isa<tile::ReshapeOp>(op))
    return std::pair(op->getOperand(0), of(op->getOperand(0)).rank() - 1);
  return std::nullopt;
}

Maybe FactWalk::contiguous(Value value, unsigned axis, int64_t length) {
  const AxisInfo info = of(value);
  if (axis >= info.rank() || info[axis].contiguity >= length || !mayVisit())
    return std::nullopt;
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(cast<BlockArgument>(value)) : nullptr;
    return init ? contiguous(init->get(), axis, length) : std::nullopt;
  }
  if (info[axis].constancy >= length && !isa<tile::AddPtrOp, arith::AddIOp, arith::SubIOp>(op))
    return computed(op, "neighbours along dim " + Twine(axis) + " are one address",
                    "load it once as a scalar, or with one element for each address");
  if (isa<tile::AddPtrOp, arith::AddIOp, arith::SubIOp>(op))
    return contiguousSum(op, axis, length);
  if (isa<arith::MulIOp, arith::ShLIOp>(op))
    return contiguousProduct(op, axis, length);
  if (auto next = moved(op, axis))
    return contiguous(next->first, next->second, length);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return better(contiguous(op->getOperand(0), axis, length),
                  multiple(op->getOperand(1), axis, 1, length, op));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return better(better(constant(select.getCondition(), axis, length),
                         contiguous(select.getTrueValue(), axis, length)),
                  contiguous(select.getFalseValue(), axis, length));
  if (Maybe found = loaded(value, "is not known to be side by side", "tl.max_contiguous"))
    return found;
  return computed(op, "neighbours that are computed here are not known to lie side by side", SideBySide);
}

Maybe FactWalk::contiguousSum(Operation *op, unsigned axis, int64_t length) {
  const Value a = op->getOperand(0), b = op->getOperand(1);
  const AxisInfo ofA = of(a), ofB = of(b);
  const bool isAConstant = ofA[axis].constancy >= length, isBConstant = ofB[axis].constancy >= length;
  if (isAConstant && isBConstant)
    return computed(op, "neighbours along dim " + Twine(axis) + " are one address",
                    "load it once as a scalar, or with one element for each address");
  if (isBConstant)
    return contiguous(a, axis, length);
  if (isAConstant)
    return contiguous(b, axis, length);
  if (ofA[axis].contiguity >= length)
    return constant(b, axis, length);
  if (ofB[axis].contiguity >= length)
    return constant(a, axis, length);
  return better(contiguous(a, axis, length), contiguous(b, axis, length));
}

Maybe FactWalk::contiguousProduct(Operation *op, unsigned axis, int64_t length) {
  for (unsigned index : {1u, 0u}) {
    const Value factor = op->getOperand(index), scaled = op->getOperand(1 - index);
    if (of(factor)[axis].constancy < length || (index == 0 && isa<arith::ShLIOp>(op)))
      continue;
    if (of(scaled)[axis].contiguity < length)
      return better(notOne(factor, op), contiguous(scaled, axis, length));
    return notOne(factor, op);
  }
  return computed(op, "neighbours that are multiplied here are not known to lie side by side", SideBySide);
}

/// The factor of neighbours, followed to the number that all of its elements are.
Maybe FactWalk::notOne(Value factor, Operation *user) {
  if (std::optional<int64_t> number = of(factor).constant()) {
    if (isa<arith::ShLIOp>(user))
      number = int64_t(1) << (*number & 31);
    return Found{Rank::Constant,
                 {text("neighbours are " + Twine(*number) + " elements apart: they are multiplied by " +
                       Twine(*number) + " here"),
                  user->getLoc()},
                 {SideBySide.str(), false}};
  }
  Operation *op = factor.getDefiningOp();
  if (op && (isa<tile::SplatOp>(op) || moved(op, 0)) && mayVisit())
    return notOne(op->getOperand(0), op);
  if (tile::ParamAttr param = paramOf(factor))
    return Found{
        Rank::Parameter,
        causeAt(factor, "is not known to be 1"),
        {text("pass " + param.getName() + "=1 where it is (that is compiled apart); else " + SideBySide),
         false}};
  if (Maybe found = loaded(factor, "is not known to be 1", "tl.multiple_of"))
    return Found{Rank::Loaded, found->cause, {SideBySide.str(), false}};
  return Found{Rank::Computed, causeAt(factor, "is not known to be 1", user), {SideBySide.str(), false}};
}

Maybe FactWalk::multiple(Value value, unsigned axis, int64_t group, int64_t divisor, Operation *user) {
  const AxisInfo info = of(value);
  if (axis >= info.rank() || info.divisibilityAt(axis, group) >= divisor || !mayVisit())
    return std::nullopt;
  if (paramOf(value) || integerOf(value))
    return notMultiple(value, divisor, user);
  Operation *op = value.getDefiningOp();
  if (!op)
    return multipleCarried(cast<BlockArgument>(value), group, divisor);
  if (isa<tile::AddPtrOp, arith::AddIOp, arith::SubIOp, arith::SelectOp, arith::MinSIOp, arith::MaxSIOp,
          arith::MinUIOp, arith::MaxUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return multipleOfParts(op, axis, group, divisor);
  if (isa<arith::MulIOp>(op))
    return multipleProduct(op, axis, group, divisor);
  if (auto next = moved(op, axis))
    return multiple(next->first, next->second, isa<tile::SplatOp>(op) ? 1 : group, divisor, op);
  return notMultiple(value, divisor, user);
}

/// Of sums, choices and remainders each part must be a multiple: of bytes what is added to a pointer is
/// elements.
Maybe FactWalk::multipleOfParts(Operation *op, unsigned axis, int64_t group, int64_t divisor) {
  Maybe found;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    if (isa<arith::SelectOp>(op) && index == 0)
      continue;
    const bool isOffset = isa<tile::AddPtrOp>(op) && index == 1;
    const int64_t wanted = isOffset ? divisor / of(op->getOperand(0)).step() : divisor;
    const unsigned along = std::min(axis, of(operand).rank() - 1);
    if (wanted > 1)
      found = better(found, multiple(operand, along, group, wanted, op));
  }
  return found ? found : notMultiple(op->getResult(0), divisor, nullptr);
}

/// Of a product the factors share the divisor: what the one has the other need not.
Maybe FactWalk::multipleProduct(Operation *op, unsigned axis, int64_t group, int64_t divisor) {
  Maybe found;
  for (unsigned index : {0u, 1u}) {
    const Value factor = op->getOperand(index), other = op->getOperand(1 - index);
    const int64_t wanted = std::max<int64_t>(2, divisor / of(other).divisibilityAt(axis, group));
    found = better(found, multiple(factor, axis, group, wanted, op));
  }
  return found;
}

Maybe FactWalk::multipleCarried(BlockArgument argument, int64_t group, int64_t divisor) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    return notMultiple(argument, divisor, nullptr);
  if (argument == loop.getInductionVar())
    return better(multiple(loop.getLowerBound(), 0, 1, divisor, loop),
                  multiple(loop.getStep(), 0, 1, divisor, loop));
  // What the loop adds to it is asked of the sum, whose other part is the argument itself.
  Maybe found = multiple(loop.getTiedLoopInit(argument)->get(), 0, group, divisor, loop);
  Operation *step = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp();
  if (isa_and_nonnull<tile::AddPtrOp, arith::AddIOp>(step) && step->getOperand(0) == argument) {
    const int64_t wanted = isPointer(argument) ? divisor / of(argument).step() : divisor;
    if (wanted > 1)
      found = better(found, multiple(step->getOperand(1), 0, group, wanted, step));
  }
  return found;
}

Maybe FactWalk::notMultiple(Value value, int64_t divisor, Operation *user) {
  const Twine count(divisor);
  if (tile::ParamAttr param = paramOf(value)) {
    const std::string name = param.getName().str();
    if (isPointer(value))
      return Found{
          Rank::Parameter,
          causeAt(value, "is not known to begin at a multiple of " + count + " bytes"),
          {text("pass an array that begins at a multiple of " + count + " bytes as `" + name + "`"), false}};
    return Found{Rank::Parameter,
                 causeAt(value, "is not known to be a multiple of " + count),
                 {text("pass a multiple of " + count + " as `" + name + "`, or state it by `tl.multiple_of(" +
                       name + ", " + count + ")`"),
                  false}};
  }
  if (integerOf(value))
    return Found{Rank::Constant,
                 causeAt(value, "is not a multiple of " + count, user),
                 {text("use a multiple of " + count), false}};
  const std::string fact = text("is not known to be a multiple of " + count);
  if (Maybe found = loaded(value, fact, "tl.multiple_of"))
    return found;
  return Found{Rank::Computed,
               causeAt(value, fact, user),
               {text("state what divides it by `tl.multiple_of`, where that is so"), false}};
}

Maybe FactWalk::constant(Value value, unsigned axis, int64_t length) {
  const AxisInfo info = of(value);
  if (axis >= info.rank() || info[axis].constancy >= length || !mayVisit())
    return std::nullopt;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return constantBound(compare, axis, length);
  if (auto next = moved(op, axis))
    return constant(next->first, next->second, length);
  if (Maybe found = loaded(value, "may differ between neighbours", "tl.max_constancy"))
    return found;
  Maybe found;
  if (op->hasTrait<OpTrait::Elementwise>())
    for (Value operand : op->getOperands())
      if (of(operand).rank() == info.rank())
        found = better(found, constant(operand, axis, length));
  return found ? found : computed(op, "neighbours along dim " + Twine(axis) + " differ here", {});
}

/// A bound on neighbours that count up is the same for groups of them where both begin at multiples.
Maybe FactWalk::constantBound(arith::CmpIOp compare, unsigned axis, int64_t length) {
  Maybe found;
  for (unsigned index : {0u, 1u}) {
    const Value counted = compare.getOperand(index), bound = compare.getOperand(1 - index);
    if (of(counted)[axis].contiguity < length || of(bound)[axis].constancy < length)
      continue;
    found = multiple(bound, axis, length, length, compare);
    if (Maybe start = multiple(counted, axis, length, length, compare))
      found = better(found, start);
    if (found && found->rank == Rank::Parameter)
      found->advice.change += "; else handle the last block by itself, without a mask on the others";
    return found ? found
                 : computed(compare, "neighbours are compared for more than a bound here",
                            "compare by `<` with a bound");
  }
  for (Value side : compare.getOperands())
    found = better(found, constant(side, axis, length));
  return found;
}

} // namespace

static Reason asReason(std::string text, Maybe found) {
  Reason reason{std::move(text)};
  if (found) {
    reason.causes.push_back(std::move(found->cause));
    reason.advice = std::move(found->advice);
  }
  return reason;
}

Reason reasonOfLimit(Operation *op, const MemoryAccess &access, const AxisInfoAnalysis &facts) {
  const tile::GlobalAccess accessed = tile::globalAccessOf(op);
  const unsigned axis = access.order.front();
  const int64_t length = access.unlimited;
  FactWalk walk(facts);
  switch (access.limitedBy) {
  case MemoryAccess::Limit::None:
    return {};
  case MemoryAccess::Limit::Mask:
    return asReason(access.limit, walk.constant(accessed.mask, axis, length));
  case MemoryAccess::Limit::Alignment:
    return asReason(access.limit,
                    walk.multiple(accessed.address, axis, length, length * access.elementBytes, op));
  case MemoryAccess::Limit::Adjacency:
    return asReason(access.limit, walk.contiguous(accessed.address, axis, length));
  }
  return {};
}

} // namespace tegula
