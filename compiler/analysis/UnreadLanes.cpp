#include "compiler/analysis/UnreadLanes.h"

#include "dialect/tile/LayoutInference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula {

namespace {

using Axes = SmallVector<unsigned, 4>;

/// An axis that elements do not depend on: of length 1, or reduced.
constexpr unsigned NoAxis = ~0u;

/// How far two comparisons are followed to be found the same.
constexpr unsigned MaxDepth = 8;

/// A part of a conjunction: its own axes as those of the tensor that the conjunction is of.
struct Part {
  Value value;
  Axes axes;
};

ArrayRef<int64_t> shapeOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

Axes axesOf(Value value) { return llvm::to_vector_of<unsigned, 4>(llvm::seq(shapeOf(value).size())); }

/// `mask`, whose axes are `axes`, taken apart into `parts`.
void takeApart(Value mask, Axes axes, SmallVectorImpl<Part> &parts) {
  Operation *op = mask.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp>(op)) {
    takeApart(op->getOperand(0), axes, parts);
    return takeApart(op->getOperand(1), std::move(axes), parts);
  }
  if (isa_and_nonnull<tile::BroadcastOp, tile::ConvertLayoutOp>(op))
    return takeApart(op->getOperand(0), std::move(axes), parts);
  if (auto splat = dyn_cast_or_null<tile::SplatOp>(op))
    return takeApart(splat.getSource(), {}, parts);
  if (auto expand = dyn_cast_or_null<tile::ExpandDimsOp>(op)) {
    axes.erase(axes.begin() + expand.getAxis());
    return takeApart(expand.getSource(), std::move(axes), parts);
  }
  if (matchPattern(mask, m_One()))
    return;
  for (auto [axis, length] : llvm::zip(axes, shapeOf(mask)))
    if (length == 1)
      axis = NoAxis;
  parts.push_back({mask, std::move(axes)});
}

SmallVector<Part> partsOf(Value mask) {
  SmallVector<Part> parts;
  takeApart(mask, axesOf(mask), parts);
  return parts;
}

/// Whether two values have the same elements, in whatever layouts: computed alike from the same values.
bool areSame(Value a, Value b, unsigned depth = 0) {
  if (a == b)
    return true;
  Operation *one = a.getDefiningOp(), *other = b.getDefiningOp();
  if (!one || !other || depth == MaxDepth || one->getName() != other->getName() ||
      one->getNumOperands() != other->getNumOperands() || one->getNumResults() != 1 || one->getNumRegions() ||
      !isMemoryEffectFree(one) || shapeOf(a) != shapeOf(b) ||
      getElementTypeOrSelf(a) != getElementTypeOrSelf(b))
    return false;
  // The attribute of a constant tensor has the layout, too.
  Attribute first, second;
  if (matchPattern(a, m_Constant(&first)) && matchPattern(b, m_Constant(&second))) {
    auto x = dyn_cast<SplatElementsAttr>(first), y = dyn_cast<SplatElementsAttr>(second);
    return first == second || (x && y && x.getSplatValue<Attribute>() == y.getSplatValue<Attribute>());
  }
  return one->getAttrDictionary() == other->getAttrDictionary() &&
         llvm::all_of(llvm::zip(one->getOperands(), other->getOperands()), [&](auto operands) {
           return areSame(std::get<0>(operands), std::get<1>(operands), depth + 1);
         });
}

/// Arithmetic that is the same few instructions whatever the elements are.
bool isPlainArithmetic(Operation *op) {
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::RemFOp>(op))
    return false;
  return isa<tile::AddPtrOp, tile::IntToPtrOp, tile::PtrToIntOp, tile::BitcastOp, tile::HintOp>(op) ||
         (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) && tile::isElementwise(op) &&
          isMemoryEffectFree(op) && op->getNumRegions() == 0);
}

/// Where a value has elements that the load gives where its mask is false.
struct Reached {
  Axes axes;      ///< along which axis of the value each axis of the load is
  uint32_t parts; ///< of the load's mask: where one of these is false, and all the others are true
  bool operator==(const Reached &) const = default;
};

class Follower {
public:
  explicit Follower(tile::LoadOp load) : load(load), mask(partsOf(load.getMask())) {}

  bool run() {
    if (mask.size() > MaxParts)
      return false;
    reach(load.getResult(), {axesOf(load.getResult()), (1u << mask.size()) - 1});
    while (!left.empty()) {
      Value value = left.pop_back_val();
      for (OpOperand &use : value.getUses())
        if (!passes(use, Reached(reached[value])))
          return false;
    }
    return true;
  }

private:
  static constexpr size_t MaxParts = 31;

  bool reach(Value value, Reached now) {
    if (!now.parts)
      return true;
    auto [known, isNew] = reached.try_emplace(value, now);
    if (!isNew) {
      if (known->second.axes != now.axes)
        return false;
      now.parts |= known->second.parts;
      if (known->second == now)
        return true;
      known->second = now;
    }
    left.push_back(value);
    return true;
  }

  bool reachAll(ValueRange values, const Reached &now) {
    return llvm::all_of(values, [&](Value value) { return reach(value, now); });
  }

  /// What is left of `from` where `other`, a mask of the tensor, is true: the parts that it does not have.
  Reached inside(Value other, Reached from) const {
    SmallVector<Part> there = other ? partsOf(other) : SmallVector<Part>();
    for (auto [index, part] : llvm::enumerate(mask)) {
      Axes here;
      for (unsigned axis : part.axes)
        here.push_back(axis == NoAxis ? NoAxis : from.axes[axis]);
      if (llvm::any_of(there, [&](const Part &found) {
            return found.axes == here && areSame(found.value, part.value);
          }))
        from.parts &= ~(1u << index);
    }
    return from;
  }
  bool leavesOut(Value other, const Reached &from) const { return !inside(other, from).parts; }

  /// Whether the elements are unread behind `use`; where they go on, those places are reached.
  bool passes(OpOperand &use, const Reached &now) {
    Operation *op = use.getOwner();
    const unsigned number = use.getOperandNumber();
    return TypeSwitch<Operation *, bool>(op)
        .Case([&](tile::LoadOp other) {
          if (number == 0)
            return leavesOut(other.getMask(), now);
          return use.get() == other.getOther() && reach(other.getResult(), now);
        })
        .Case<tile::StoreOp, tile::AtomicRMWOp>(
            [&](auto access) { return use.get() != access.getMask() && leavesOut(access.getMask(), now); })
        .Case([&](arith::SelectOp select) {
          return reach(select.getResult(), number == 1 ? inside(select.getCondition(), now) : now);
        })
        .Case([&](arith::AndIOp both) {
          return reach(both.getResult(), inside(both->getOperand(1 - number), now));
        })
        .Case([&](arith::OrIOp either) {
          return isTrueOutside(either->getOperand(1 - number), now) || reach(either.getResult(), now);
        })
        .Case<tile::ConvertLayoutOp, tile::BroadcastOp>([&](auto) { return reach(op->getResult(0), now); })
        .Case([&](tile::ExpandDimsOp expand) {
          const auto added = unsigned(expand.getAxis());
          return reach(expand.getResult(), moved(now, [&](unsigned axis) { return axis + (axis >= added); }));
        })
        .Case([&](tile::TransOp trans) {
          return reach(trans.getResult(), moved(now, [&](unsigned axis) {
                         return unsigned(llvm::find(trans.getOrder(), int32_t(axis)) -
                                         trans.getOrder().begin());
                       }));
        })
        .Case([&](tile::ReduceOp reduce) { return passesReduction(reduce, now); })
        .Case<scf::ForOp, scf::YieldOp>([&](auto) { return passesControl(op, number, now); })
        .Default([&](Operation *) { return isPlainArithmetic(op) && reachAll(op->getResults(), now); });
  }

  template <typename Move> static Reached moved(Reached from, Move move) {
    for (unsigned &axis : from.axes)
      if (axis != NoAxis)
        axis = move(axis);
    return from;
  }

  /// `~mask`, of a mask that leaves the elements out.
  bool isTrueOutside(Value value, const Reached &now) const {
    auto negated = value.getDefiningOp<arith::XOrIOp>();
    return negated && matchPattern(negated.getRhs(), m_One()) && leavesOut(negated.getLhs(), now);
  }

  template <typename Predicate> bool allPartsLeft(const Reached &now, Predicate holds) const {
    for (auto [index, part] : llvm::enumerate(mask))
      if ((now.parts >> index & 1) && !holds(part))
        return false;
    return true;
  }

  /// Along an axis on which the mask depends others would be made of these elements.
  bool passesReduction(tile::ReduceOp reduce, const Reached &now) {
    const auto along = unsigned(reduce.getAxis());
    return allPartsLeft(now,
                        [&](const Part &part) {
                          return llvm::none_of(part.axes, [&](unsigned axis) {
                            return axis != NoAxis && now.axes[axis] == along;
                          });
                        }) &&
           reachAll(reduce->getResults(), moved(now, [&](unsigned axis) {
                      return axis == along ? NoAxis : axis - (axis > along);
                    }));
  }

  /// Through what loops and branches hand on.
  bool passesControl(Operation *op, unsigned number, const Reached &now) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return number >= loop.getNumControlOperands() &&
             entersLoop(loop, number - loop.getNumControlOperands(), now);
    Operation *parent = op->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return entersLoop(loop, number, now);
    return isa<scf::IfOp>(parent) && reach(parent->getResult(number), now);
  }

  /// In another iteration the mask must be the same.
  bool entersLoop(scf::ForOp loop, unsigned position, const Reached &now) {
    return allPartsLeft(now, [&](const Part &part) { return loop.isDefinedOutsideOfLoop(part.value); }) &&
           reachAll({loop.getRegionIterArg(position), loop.getResult(position)}, now);
  }

  tile::LoadOp load;
  SmallVector<Part> mask;
  DenseMap<Value, Reached> reached;
  SmallVector<Value> left; ///< reached, and not followed yet
};

} // namespace

bool isUnreadOutsideMask(tile::LoadOp load) {
  return load.getMask() && isa<RankedTensorType>(load.getType()) && Follower(load).run();
}

} // namespace tegula
