#include "compiler/cost/KernelTerms.h"

#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/plans/LoopStages.h"
#include "compiler/cost/ProgramValues.h"
#include "dialect/tile/Tile.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace mlir;

namespace tegula::cost {

namespace {

/// Returns how many kinds there are among `all` things, as many of each, where `drawn` of them have shown
/// `distinct`.
double kindsFrom(double drawn, double distinct, double all) {
  auto expected = [&](double kinds) { return kinds * (1 - std::pow(1 - drawn / all, all / kinds)); };
  if (distinct <= 1)
    return 1;
  double low = distinct, high = all;
  if (expected(high) <= distinct)
    return high;
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (low + high);
    (expected(middle) < distinct ? low : high) = middle;
  }
  return low;
}

double elementsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? double(tensor.getNumElements()) : 1;
}

uint64_t bytesOfElement(Type type) {
  type = getElementTypeOrSelf(type);
  if (isa<tile::PtrType>(type))
    return 8;
  return type.isIntOrFloat() ? std::max(1u, type.getIntOrFloatBitWidth() / 8) : 0;
}

uint64_t bytesOf(Type type) { return uint64_t(elementsOf(type)) * bytesOfElement(type); }

class Reader {
public:
  Reader(func::FuncOp kernel, const LaunchFacts &launch, KernelTerms &terms)
      : launch(launch), terms(terms), facts(kernel), values(kernel, launch), sample(values.sample()) {}

  Decision<> read(func::FuncOp kernel) {
    if (auto attribute = kernel->getAttrOfType<tile::KernelAttr>("tile.kernel"))
      terms.warps = attribute.getWarps();
    terms.programs = launch.programs();
    Weights weights;
    weights.fill(1);
    return readBlock(kernel.getBody().front(), newSection(weights, 1, 0), weights);
  }

private:
  using Weights = std::array<double, LaneCount>;

  size_t newSection(const Weights &weights, uint32_t stages, uint32_t depth) {
    Section section;
    section.times = 0;
    section.mostTimes = 0;
    for (unsigned lane = 0; lane < sample.drawn; ++lane) {
      section.times += weights[lane] / sample.drawn;
      section.mostTimes = std::max(section.mostTimes, weights[lane]);
    }
    section.stages = stages;
    section.depth = depth;
    terms.sections.push_back(std::move(section));
    return terms.sections.size() - 1;
  }

  Decision<> readBlock(Block &block, size_t section, const Weights &weights) {
    for (Operation &op : block)
      TRY(readOp(op, section, weights));
    return {};
  }

  Decision<> readOp(Operation &op, size_t section, const Weights &weights) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return readLoop(loop, section, weights);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return readIf(branch, section, weights);
    if (isa<scf::WhileOp>(op))
      return because(&op, "a `while` loop runs until something holds that the kernel computes");
    count(op, terms.sections[section]);
    values.evaluate(op);
    return {};
  }

  Decision<> readLoop(scf::ForOp loop, size_t section, const Weights &weights) {
    const Lanes *lower = values.of(loop.getLowerBound()), *upper = values.of(loop.getUpperBound()),
                *step = values.of(loop.getStep());
    if (!lower || !upper || !step)
      return because(loop, "the number of iterations of a loop is read from memory or computed in a loop");
    Weights inside = weights;
    for (unsigned lane = 0; lane < LaneCount; ++lane) {
      const double distance = double((*upper)[lane]) - double((*lower)[lane]);
      inside[lane] *= std::ceil(std::max(distance, 0.0) / double(std::max<int64_t>(1, (*step)[lane])));
    }
    values.copy(loop.getLowerBound(), loop.getInductionVar());
    for (auto [from, to] : llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs()))
      values.copy(from, to);
    const uint32_t depth = terms.sections[section].depth + 1;
    TRY(readBlock(*loop.getBody(), newSection(inside, stagesOf(loop), depth), inside));
    // Integers that a loop computes are not followed; pointers that it moves are read after it by few
    // kernels.
    return {};
  }

  Decision<> readIf(scf::IfOp branch, size_t section, const Weights &weights) {
    const Lanes *condition = values.of(branch.getCondition());
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
      if (region->empty())
        continue;
      const bool isThen = region == &branch.getThenRegion();
      Weights inside = weights;
      for (unsigned lane = 0; lane < LaneCount; ++lane) {
        // Of a condition that the kernel loads, either side is as likely.
        const double share = !condition ? 0.5 : ((*condition)[lane] != 0) == isThen ? 1 : 0;
        inside[lane] *= share;
      }
      const Section &around = terms.sections[section];
      TRY(readBlock(region->front(), newSection(inside, around.stages, around.depth), inside));
    }
    for (auto [i, result] : llvm::enumerate(branch.getResults()))
      values.select(condition, branch.thenYield().getOperand(i), branch.elseYield().getOperand(i), result);
    return {};
  }

  //===--- amounts -----------------------------------------------------------------------------===//

  /// Programs that have one address, on average.
  double copiesOf(const Lanes &addresses, unsigned first, unsigned lanes, double population, bool isWhole) {
    SmallVector<int64_t, HalfLanes> found(addresses.begin() + first, addresses.begin() + first + lanes);
    llvm::sort(found);
    const double distinct = double(std::unique(found.begin(), found.end()) - found.begin());
    return population / (isWhole || population <= lanes ? distinct : kindsFrom(lanes, distinct, population));
  }

  /// Counts an access to blocks at `addresses`; null where they are not known.
  void countAccess(Section &section, const Lanes *addresses, Type type, bool isStore, Operation *op) {
    AccessTerms access;
    access.isStore = isStore;
    access.bytes = double(bytesOf(type));
    access.elementBytes = bytesOfElement(type);
    access.vectorBytes = uint32_t(access.elementBytes);
    if (std::optional<MemoryAccess> found =
            isa<RankedTensorType>(type) ? analyzeAccess(op, facts) : std::nullopt)
      access.vectorBytes = std::min(MaxAccessBytes, found->run() * found->elementBytes);
    else if (isa<tile::ViewLoadOp, tile::ViewStoreOp>(op))
      access.vectorBytes = MaxAccessBytes; // descriptors are for arrays that are aligned
    access.feedsDot = !isStore && feedsDot(op);
    if (addresses) {
      access.copies = copiesOf(*addresses, 0, sample.drawn, double(launch.programs()), sample.isWhole);
      access.copiesOfWave =
          sample.isWhole ? access.copies : copiesOf(*addresses, HalfLanes, HalfLanes, sample.wave, false);
    }
    section.accesses.push_back(access);
  }

  /// Returns true if a dot takes what `op` loads, by conversions and moves at most.
  static bool feedsDot(Operation *op) {
    SmallVector<Operation *> waiting = {op};
    for (unsigned seen = 0; !waiting.empty() && seen < 16; ++seen) {
      Operation *from = waiting.pop_back_val();
      for (OpOperand &use : from->getUses()) {
        Operation *user = use.getOwner();
        if (isa<tile::DotOp>(user) && use.getOperandNumber() < 2)
          return true;
        if (isa<tile::TransOp, tile::ReshapeOp>(user))
          waiting.push_back(user);
      }
    }
    return false;
  }

  void countDot(tile::DotOp dot, Section &section) {
    ProductTerms product;
    product.m = dot.getM();
    product.n = dot.getN();
    product.k = dot.getK();
    product.batches = dot.getBatchAxes() ? dot.getResultType().getShape().front() : 1;
    product.elementBits =
        std::max(dot.getAType().getElementTypeBitWidth(), dot.getBType().getElementTypeBitWidth());
    product.byUnits = product.elementBits < 32 || dot.getPrecision() != tile::InputPrecision::IEEE;
    product.isOfFloats8 = product.elementBits == 8 && dot.getResultType().getElementType().isF32();
    section.products.push_back(product);
    terms.sumBytes = std::max(terms.sumBytes, bytesOf(dot.getType()));
  }

  void count(Operation &op, Section &section) {
    if (auto dot = dyn_cast<tile::DotOp>(op))
      return countDot(dot, section);
    if (auto load = dyn_cast<tile::LoadOp>(op))
      return countAccess(section, values.of(load.getPointer()), load.getType(), false, load);
    if (auto store = dyn_cast<tile::StoreOp>(op))
      return countAccess(section, values.of(store.getPointer()), store.getValue().getType(), true, store);
    if (auto load = dyn_cast<tile::ViewLoadOp>(op))
      return countView(section, load.getView(), load.getStart(), load.getType(), false, load);
    if (auto store = dyn_cast<tile::ViewStoreOp>(op))
      return countView(section, store.getView(), store.getStart(), store.getValue().getType(), true, store);
    if (auto update = dyn_cast<tile::AtomicRMWOp>(op))
      return countAccess(section, values.of(update.getPointer()), update.getValue().getType(), true, update);
    if (isa<tile::ReduceOp, tile::ScanOp>(op)) {
      for (Value operand : op.getOperands())
        if (!operand.hasOneUse())
          terms.heldBytes = std::max(terms.heldBytes, bytesOf(operand.getType()));
      ++section.reductions;
      section.reducedElements += elementsOf(op.getOperand(0).getType());
      return;
    }
    countArithmetic(op, section);
  }

  void countView(Section &section, Value view, OperandRange start, Type type, bool isStore, Operation *op) {
    // Any mixture of base and coordinates will do: only which addresses are equal counts.
    const Lanes *base = values.of(view);
    Lanes place = base ? *base : Lanes{};
    bool isKnown = base != nullptr;
    for (Value coordinate : start) {
      const Lanes *lanes = values.of(coordinate);
      isKnown &= lanes != nullptr;
      for (unsigned lane = 0; lanes && lane < LaneCount; ++lane)
        place[lane] = int64_t(uint64_t(place[lane]) * 1000003 + uint64_t((*lanes)[lane]));
    }
    countAccess(section, isKnown ? &place : nullptr, type, isStore, op);
  }

  void countArithmetic(Operation &op, Section &section) {
    if (op.getNumResults() != 1 || !isa<FloatType>(getElementTypeOrSelf(op.getResult(0).getType())))
      return; // indices, masks and addresses are mostly folded into the accesses
    Type type = op.getResult(0).getType();
    if (isa<math::MathDialect>(op.getDialect()) && !isa<math::AbsFOp, math::FmaOp>(op))
      section.specials += elementsOf(type);
    else if (isa<arith::DivFOp>(op))
      section.specials += 2 * elementsOf(type); // a reciprocal and its correction
    else if ((isa<arith::ArithDialect>(op.getDialect()) && !isa<arith::ConstantOp>(op)) ||
             isa<tile::RoundedOp, math::FmaOp, math::AbsFOp>(op))
      section.elements += elementsOf(type);
  }

  const LaunchFacts &launch;
  KernelTerms &terms;
  const AxisInfoAnalysis facts;
  ProgramValues values;
  const ProgramSample &sample;
};

} // namespace

Decision<KernelTerms> termsOf(func::FuncOp kernel, const LaunchFacts &launch) {
  if (launch.programs() == 0)
    return because(kernel, "the launch has no programs");
  KernelTerms terms;
  TRY(Reader(kernel, launch, terms).read(kernel));
  llvm::erase_if(terms.sections, [](const Section &section) { return section.mostTimes == 0; });
  return terms;
}

} // namespace tegula::cost
