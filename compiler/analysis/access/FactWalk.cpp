// `FactWalk` along runs of neighbours, groups of equal elements, and what both share.
#include "compiler/analysis/access/FactWalk.h"

#include "compiler/analysis/integers/KernelParam.h"

using namespace mlir;

namespace tegula {

namespace {

constexpr StringLiteral SideBySide =
    "let neighbours lie side by side in memory: put the axis of stride 1 where the tile's "
    "elements count up, or keep a transposed copy of the array";

constexpr StringLiteral ProgramsApart =
    "let the elements of a program be neighbours: `tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)`";

/// Most numbers that are loaded are as they come; their author knows which are not.
constexpr StringLiteral LoadedApart =
    "let the tile's fastest axis be one along which memory is in order, such as the columns of the rows that "
    "are looked up; where runs of the numbers are in order, state it by `tl.max_contiguous`";
constexpr StringLiteral LoadedMask = "load under a mask of bounds alone and choose by `tl.where`; where "
                                     "groups of neighbours are equal, state it "
                                     "by `tl.max_constancy`";

constexpr StringLiteral TwoApart =
    "load the tile that holds both halves, and take it apart by `tl.reshape` to pairs and `tl.split`";
constexpr StringLiteral DividedApart =
    "load each element once, and repeat it by `tl.interleave`, `tl.join` or a broadcast over another axis";
constexpr StringLiteral LoadedBound =
    "load under a bound that is a multiple, where the memory is there, and choose by `tl.where`";

std::string text(const Twine &twine) { return twine.str(); }

void addOtherwise(Advice &advice, StringRef change) {
  advice.change += ("; else " + change).str();
  advice.otherwise += (advice.otherwise.empty() ? "" : "; else ") + change.str();
}

} // namespace

MaybeBroken FactWalk::loaded(Value value, const Twine &fact, StringRef change) {
  Operation *op = value.getDefiningOp();
  if (!op || !tile::globalAccessOf(op).address)
    return std::nullopt;
  return BrokenFact{CauseRank::Loaded, causeAt(value, fact), {change.str(), false}};
}

MaybeBroken FactWalk::computed(Operation *op, const Twine &fact, StringRef change) {
  return BrokenFact{CauseRank::Computed, {text(fact), op->getLoc()}, {change.str(), change.empty()}};
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

MaybeBroken FactWalk::contiguous(Value value, unsigned axis, int64_t length) {
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
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(op) &&
      of(op->getOperand(0))[axis].contiguity > 1)
    return computed(op, "groups of neighbours are one address: their numbers are divided here", DividedApart);
  if (auto next = moved(op, axis))
    return contiguous(next->first, next->second, length);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return moreTelling(contiguous(op->getOperand(0), axis, length),
                       multiple(op->getOperand(1), axis, 1, length, op));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return moreTelling(moreTelling(constant(select.getCondition(), axis, length),
                                   contiguous(select.getTrueValue(), axis, length)),
                       contiguous(select.getFalseValue(), axis, length));
  // Single elements that are looked up, or put where a scan says, lie where they lie.
  if (MaybeBroken found = loaded(value, "is not known to be side by side", "")) {
    found->advice.isNothingToDo = true;
    return found;
  }
  if (isa<tile::ScanOp>(op))
    return computed(op, "a scan says where neighbours lie", "");
  return computed(op, "neighbours that are computed here are not known to lie side by side", SideBySide);
}

MaybeBroken FactWalk::contiguousSum(Operation *op, unsigned axis, int64_t length) {
  const Value a = op->getOperand(0), b = op->getOperand(1);
  const AxisInfo ofA = of(a), ofB = of(b);
  const bool isAConstant = ofA[axis].constancy >= length, isBConstant = ofB[axis].constancy >= length;
  if (isAConstant && isBConstant)
    return computed(op, "neighbours along dim " + Twine(axis) + " are one address",
                    "load it once as a scalar, or with one element for each address");
  if (isBConstant)
    return contiguous(a, axis, length);
  if (isAConstant && isa<arith::SubIOp>(op) && ofB[axis].contiguity >= length)
    return computed(op, "neighbours count down here", "count up, and reverse the elements by `tl.flip`");
  if (isAConstant)
    return contiguous(b, axis, length);
  if (ofA[axis].contiguity >= length)
    return differing(b, axis, length);
  if (ofB[axis].contiguity >= length)
    return differing(a, axis, length);
  return moreTelling(contiguous(a, axis, length), contiguous(b, axis, length));
}

Operation *FactWalk::sourceOf(Value value) const {
  Operation *op = value.getDefiningOp();
  while (op && moved(op, 0))
    op = op->getOperand(0).getDefiningOp();
  return op;
}

MaybeBroken FactWalk::differing(Value summand, unsigned axis, int64_t length) {
  MaybeBroken found = constant(summand, axis, length);
  if (!found)
    return found;
  // A mask is helped by other means.
  Operation *op = sourceOf(summand);
  if (op && (tile::globalAccessOf(op).address || isa<tile::ScanOp>(op)))
    found->advice = {"", /*isNothingToDo=*/true};
  else if (found->rank == CauseRank::Loaded)
    found->advice.change = LoadedApart.str();
  else if (found->rank == CauseRank::Computed)
    found->advice = {SideBySide.str(), false};
  return found;
}

MaybeBroken FactWalk::contiguousProduct(Operation *op, unsigned axis, int64_t length) {
  for (unsigned index : {1u, 0u}) {
    const Value factor = op->getOperand(index), scaled = op->getOperand(1 - index);
    if (of(factor)[axis].constancy < length || (index == 0 && isa<arith::ShLIOp>(op)))
      continue;
    if (of(scaled)[axis].contiguity < length) {
      MaybeBroken found = contiguous(scaled, axis, length);
      if (found && found->rank == CauseRank::Loaded) // rows that are looked up
        found->advice = {LoadedApart.str(), false};
      return moreTelling(notOne(factor, op), std::move(found));
    }
    return notOne(factor, op);
  }
  return computed(op, "neighbours that are multiplied here are not known to lie side by side", SideBySide);
}

/// The factor of neighbours, followed to the number that all of its elements are.
MaybeBroken FactWalk::notOne(Value factor, Operation *user) {
  if (std::optional<int64_t> number = of(factor).constant()) {
    if (isa<arith::ShLIOp>(user))
      number = int64_t(1) << (*number & 31);
    return BrokenFact{CauseRank::Constant,
                      {text("neighbours are " + Twine(*number) + " elements apart: they are multiplied by " +
                            Twine(*number) + " here"),
                       user->getLoc()},
                      {*number == 2 ? text(TwoApart + "; else " + SideBySide) : SideBySide.str(), false}};
  }
  Operation *op = factor.getDefiningOp();
  if (op && (isa<tile::SplatOp>(op) || moved(op, 0)) && mayVisit())
    return notOne(op->getOperand(0), op);
  if (tile::ParamAttr param = paramOf(factor))
    return BrokenFact{
        CauseRank::Parameter,
        causeAt(factor, "is not known to be 1"),
        {text("pass " + param.getName() + "=1 where it is (that is compiled apart); else " + SideBySide),
         false, 1, param.getName().str(), SideBySide.str()}};
  if (MaybeBroken found = loaded(factor, "is not known to be 1", SideBySide))
    return found;
  if (op && isa<tile::NumProgramsOp>(op))
    return BrokenFact{CauseRank::Computed,
                      {"neighbours are as many elements apart as there are programs", user->getLoc()},
                      {ProgramsApart.str(), false}};
  return BrokenFact{
      CauseRank::Computed, causeAt(factor, "is not known to be 1", user), {SideBySide.str(), false}};
}

MaybeBroken FactWalk::constant(Value value, unsigned axis, int64_t length) {
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
  if (MaybeBroken found = loaded(value, "may differ between neighbours", LoadedMask))
    return found;
  MaybeBroken found;
  if (op->hasTrait<OpTrait::Elementwise>())
    for (Value operand : op->getOperands())
      if (of(operand).rank() == info.rank())
        found = moreTelling(found, constant(operand, axis, length));
  return found ? found
               : computed(op, "neighbours along dim " + Twine(axis) + " differ here",
                          "make the mask the same for groups of neighbours, or choose values by `tl.where`");
}

/// A bound on neighbours that count up is the same for groups of them where both begin at multiples.
MaybeBroken FactWalk::constantBound(arith::CmpIOp compare, unsigned axis, int64_t length) {
  MaybeBroken found;
  for (unsigned index : {0u, 1u}) {
    const Value counted = compare.getOperand(index), bound = compare.getOperand(1 - index);
    if (of(counted)[axis].contiguity < length || of(bound)[axis].constancy < length)
      continue;
    found = multiple(bound, axis, length, length, compare);
    if (MaybeBroken start = multiple(counted, axis, length, length, compare))
      found = moreTelling(found, start);
    if (found && found->rank == CauseRank::Parameter)
      addOtherwise(found->advice, "handle the last block by itself, without a mask on the others");
    if (found && found->rank == CauseRank::Loaded)
      addOtherwise(found->advice, LoadedBound);
    return found ? found
                 : computed(compare, "neighbours are compared for more than a bound here",
                            "compare by `<` with a bound");
  }
  for (Value side : compare.getOperands())
    found = moreTelling(found, constant(side, axis, length));
  if (found && found->rank != CauseRank::Computed)
    return found;
  return computed(compare, "neighbours along dim " + Twine(axis) + " differ in what this says of them",
                  "make the mask the same for groups of neighbours, or choose values by `tl.where`");
}

} // namespace tegula
