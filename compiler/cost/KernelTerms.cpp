#include "compiler/cost/KernelTerms.h"

#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/plans/LoopStages.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace mlir;

namespace tegula::cost {

namespace {

/// Programs that are evaluated: one half from the whole grid, the other from programs that run at one time.
constexpr unsigned HalfLanes = 32, LaneCount = 2 * HalfLanes;

/// A number for each evaluated program.
using Lanes = std::array<int64_t, LaneCount>;

/// Distance between the addresses of two parameters, which no offset in a kernel reaches.
constexpr int64_t ArrayDistance = int64_t(1) << 44;

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

/// Programs and their places in the grid.
struct Sample {
  std::array<Lanes, 3> place{}, count{};
  bool isWhole = false; ///< every program is there, in the lanes from 0 on
  double wave = 1;      ///< programs that the second half is drawn from

  explicit Sample(const LaunchFacts &launch) {
    const uint64_t programs = std::max<uint64_t>(1, launch.programs());
    const uint64_t window = std::min<uint64_t>(programs, std::max(1u, launch.multiprocessors));
    const uint64_t first = (programs - window) / 2;
    isWhole = programs <= HalfLanes;
    wave = double(window);
    uint64_t random = 0x9e3779b97f4a7c15ull; // fixed: every process draws the same programs
    for (unsigned lane = 0; lane < LaneCount; ++lane) {
      random = random * 6364136223846793005ull + 1442695040888963407ull;
      // One of each of so many parts, so that none comes twice.
      const uint64_t part = lane % HalfLanes, draw = random >> 33;
      auto within = [&](uint64_t all) {
        const uint64_t begin = part * all / HalfLanes, end = (part + 1) * all / HalfLanes;
        return begin + (end > begin ? draw % (end - begin) : 0);
      };
      const uint64_t program = lane >= HalfLanes ? first + within(window)
                               : isWhole         ? part % programs
                                                 : within(programs);
      place[0][lane] = int64_t(program % launch.grid[0]);
      place[1][lane] = int64_t(program / launch.grid[0] % launch.grid[1]);
      place[2][lane] = int64_t(program / launch.grid[0] / launch.grid[1]);
    }
    for (unsigned axis = 0; axis < 3; ++axis)
      count[axis].fill(launch.grid[axis]);
  }
};

class Reader {
public:
  Reader(func::FuncOp kernel, const LaunchFacts &launch, KernelTerms &terms)
      : launch(launch), terms(terms), facts(kernel), sample(launch),
        drawn(sample.isWhole ? unsigned(launch.programs()) : HalfLanes) {}

  Decision<> read(func::FuncOp kernel) {
    if (auto attribute = kernel->getAttrOfType<tile::KernelAttr>("tile.kernel"))
      terms.warps = attribute.getWarps();
    terms.programs = launch.programs();
    for (auto [index, argument] : llvm::enumerate(kernel.getArguments())) {
      auto param = kernel.getArgAttrOfType<tile::ParamAttr>(unsigned(index), "tile.param");
      Lanes lanes;
      if (isa<tile::PtrType>(argument.getType())) {
        lanes.fill(int64_t(index + 1) * ArrayDistance);
        values[argument] = lanes;
        continue;
      }
      const auto known = llvm::find_if(
          launch.numbers, [&](const auto &number) { return param && number.first == param.getName(); });
      if (known == launch.numbers.end() || !argument.getType().isInteger())
        continue;
      lanes.fill(known->second);
      values[argument] = lanes;
    }
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
    for (unsigned lane = 0; lane < drawn; ++lane) {
      section.times += weights[lane] / drawn;
      section.mostTimes = std::max(section.mostTimes, weights[lane]);
    }
    section.stages = stages;
    section.depth = depth;
    terms.sections.push_back(std::move(section));
    return terms.sections.size() - 1;
  }

  const Lanes *valueOf(Value value) const {
    auto found = values.find(value);
    return found == values.end() ? nullptr : &found->second;
  }

  void copyValue(Value from, Value to) {
    if (const Lanes *lanes = valueOf(from)) {
      const Lanes copy = *lanes;
      values[to] = copy;
    } else {
      values.erase(to);
    }
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
    evaluate(op);
    return {};
  }

  Decision<> readLoop(scf::ForOp loop, size_t section, const Weights &weights) {
    const Lanes *lower = valueOf(loop.getLowerBound()), *upper = valueOf(loop.getUpperBound()),
                *step = valueOf(loop.getStep());
    if (!lower || !upper || !step)
      return because(loop, "the number of iterations of a loop is read from memory or computed in a loop");
    Weights inside = weights;
    for (unsigned lane = 0; lane < LaneCount; ++lane) {
      const double distance = double((*upper)[lane]) - double((*lower)[lane]);
      inside[lane] *= std::ceil(std::max(distance, 0.0) / double(std::max<int64_t>(1, (*step)[lane])));
    }
    copyValue(loop.getLowerBound(), loop.getInductionVar());
    for (auto [from, to] : llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs()))
      copyValue(from, to);
    const uint32_t depth = terms.sections[section].depth + 1;
    TRY(readBlock(*loop.getBody(), newSection(inside, stagesOf(loop), depth), inside));
    // What a loop makes of integers is not followed; pointers that it moves are read after it by few kernels.
    return {};
  }

  Decision<> readIf(scf::IfOp branch, size_t section, const Weights &weights) {
    const Lanes *condition = valueOf(branch.getCondition());
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
      chooseResult(branch, condition, unsigned(i), result);
    return {};
  }

  void chooseResult(scf::IfOp branch, const Lanes *condition, unsigned index, Value result) {
    const Lanes *yes = valueOf(branch.thenYield().getOperand(index)),
                *no = valueOf(branch.elseYield().getOperand(index));
    if (!condition || !yes || !no)
      return;
    Lanes lanes;
    for (unsigned lane = 0; lane < LaneCount; ++lane)
      lanes[lane] = (*condition)[lane] ? (*yes)[lane] : (*no)[lane];
    values[result] = lanes;
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
      access.copies = copiesOf(*addresses, 0, drawn, double(launch.programs()), sample.isWhole);
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
    section.products.push_back(product);
    terms.sumBytes = std::max(terms.sumBytes, bytesOf(dot.getType()));
  }

  void count(Operation &op, Section &section) {
    if (auto dot = dyn_cast<tile::DotOp>(op))
      return countDot(dot, section);
    if (auto load = dyn_cast<tile::LoadOp>(op))
      return countAccess(section, valueOf(load.getPointer()), load.getType(), false, load);
    if (auto store = dyn_cast<tile::StoreOp>(op))
      return countAccess(section, valueOf(store.getPointer()), store.getValue().getType(), true, store);
    if (auto load = dyn_cast<tile::ViewLoadOp>(op))
      return countView(section, load.getView(), load.getStart(), load.getType(), false, load);
    if (auto store = dyn_cast<tile::ViewStoreOp>(op))
      return countView(section, store.getView(), store.getStart(), store.getValue().getType(), true, store);
    if (auto update = dyn_cast<tile::AtomicRMWOp>(op))
      return countAccess(section, valueOf(update.getPointer()), update.getValue().getType(), true, update);
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
    const Lanes *base = valueOf(view);
    Lanes place = base ? *base : Lanes{};
    bool isKnown = base != nullptr;
    for (Value coordinate : start) {
      const Lanes *lanes = valueOf(coordinate);
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

  //===--- values ------------------------------------------------------------------------------===//

  template <typename Compute> void binary(Operation &op, Compute compute) {
    const Lanes *a = valueOf(op.getOperand(0)), *b = valueOf(op.getOperand(1));
    if (!a || !b)
      return;
    Lanes lanes;
    for (unsigned lane = 0; lane < LaneCount; ++lane)
      lanes[lane] = compute((*a)[lane], (*b)[lane]);
    values[op.getResult(0)] = lanes;
  }

  void fill(Value value, int64_t number) {
    Lanes lanes;
    lanes.fill(number);
    values[value] = lanes;
  }

  void evaluateConstant(arith::ConstantOp op) {
    if (auto number = dyn_cast<IntegerAttr>(op.getValue()))
      return fill(op, number.getType().isInteger(1) ? int64_t(!number.getValue().isZero()) : number.getInt());
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (splat && splat.getElementType().isInteger())
      fill(op, splat.getSplatValue<APInt>().getSExtValue());
  }

  void evaluateCompare(arith::CmpIOp op) {
    binary(*op, [&](int64_t a, int64_t b) -> int64_t {
      const auto x = uint64_t(a), y = uint64_t(b);
      switch (op.getPredicate()) {
      case arith::CmpIPredicate::eq:
        return a == b;
      case arith::CmpIPredicate::ne:
        return a != b;
      case arith::CmpIPredicate::slt:
        return a < b;
      case arith::CmpIPredicate::sle:
        return a <= b;
      case arith::CmpIPredicate::sgt:
        return a > b;
      case arith::CmpIPredicate::sge:
        return a >= b;
      case arith::CmpIPredicate::ult:
        return x < y;
      case arith::CmpIPredicate::ule:
        return x <= y;
      case arith::CmpIPredicate::ugt:
        return x > y;
      case arith::CmpIPredicate::uge:
        return x >= y;
      }
      return 0;
    });
  }

  /// The first element of what an op moves is the first of what it has, or all are one.
  static bool keepsFirst(Operation &op) {
    return isa<tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::ReshapeOp, tile::TransOp,
               tile::HintOp, tile::OptBarrierOp, tile::ViewOp, tile::ViewBaseOp, tile::BitcastOp,
               tile::IntToPtrOp, tile::PtrToIntOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
               arith::IndexCastOp>(op);
  }

  void evaluate(Operation &op) {
    if (keepsFirst(op))
      return copyValue(op.getOperand(0), op.getResult(0));
    if (auto step = dyn_cast<tile::AddPtrOp>(op)) {
      auto pointer = cast<tile::PtrType>(getElementTypeOrSelf(step.getType()));
      return binary(op, [&](int64_t a, int64_t b) {
        return int64_t(uint64_t(a) + uint64_t(b) * pointer.getPointeeBytes());
      });
    }
    using Signed = int64_t;
    auto wrapping = [&](auto compute) {
      binary(op, [&](Signed a, Signed b) { return Signed(compute(uint64_t(a), uint64_t(b))); });
    };
    // Division by zero has no value, nor has that of the least number by -1: any will do.
    auto dividing = [&](auto compute) {
      binary(op, [&](Signed a, Signed b) {
        return b ? compute(std::max(a, std::numeric_limits<Signed>::min() + 1), b) : 0;
      });
    };
    TypeSwitch<Operation *>(&op)
        .Case([&](arith::ConstantOp constant) { evaluateConstant(constant); })
        .Case([&](tile::ArangeOp range) { fill(range, int64_t(int32_t(range.getStart()))); })
        .Case([&](tile::ProgramIdOp id) { values[id] = sample.place[unsigned(id.getAxis())]; })
        .Case([&](tile::NumProgramsOp number) { values[number] = sample.count[unsigned(number.getAxis())]; })
        .Case([&](arith::CmpIOp compare) { evaluateCompare(compare); })
        .Case([&](arith::SelectOp select) { evaluateSelect(select); })
        .Case([&](arith::AddIOp) { wrapping([](uint64_t a, uint64_t b) { return a + b; }); })
        .Case([&](arith::SubIOp) { wrapping([](uint64_t a, uint64_t b) { return a - b; }); })
        .Case([&](arith::MulIOp) { wrapping([](uint64_t a, uint64_t b) { return a * b; }); })
        .Case([&](arith::AndIOp) { wrapping([](uint64_t a, uint64_t b) { return a & b; }); })
        .Case([&](arith::OrIOp) { wrapping([](uint64_t a, uint64_t b) { return a | b; }); })
        .Case([&](arith::XOrIOp) { wrapping([](uint64_t a, uint64_t b) { return a ^ b; }); })
        .Case([&](arith::ShLIOp) { wrapping([](uint64_t a, uint64_t b) { return b < 64 ? a << b : 0; }); })
        .Case<arith::ShRSIOp, arith::ShRUIOp>(
            [&](auto) { binary(op, [](Signed a, Signed b) { return a >> std::clamp<Signed>(b, 0, 63); }); })
        .Case<arith::DivSIOp, arith::DivUIOp>(
            [&](auto) { dividing([](Signed a, Signed b) { return a / b; }); })
        .Case<arith::RemSIOp, arith::RemUIOp>(
            [&](auto) { dividing([](Signed a, Signed b) { return a % b; }); })
        .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
            [&](auto) { dividing([](Signed a, Signed b) { return a / b + (a % b > 0); }); })
        .Case<arith::FloorDivSIOp>(
            [&](auto) { dividing([](Signed a, Signed b) { return a / b - (a % b < 0); }); })
        .Case<arith::MinSIOp, arith::MinUIOp>(
            [&](auto) { binary(op, [](Signed a, Signed b) { return std::min(a, b); }); })
        .Case<arith::MaxSIOp, arith::MaxUIOp>(
            [&](auto) { binary(op, [](Signed a, Signed b) { return std::max(a, b); }); });
  }

  void evaluateSelect(arith::SelectOp select) {
    const Lanes *condition = valueOf(select.getCondition()), *yes = valueOf(select.getTrueValue()),
                *no = valueOf(select.getFalseValue());
    if (!condition || !yes || !no)
      return;
    Lanes lanes;
    for (unsigned lane = 0; lane < LaneCount; ++lane)
      lanes[lane] = (*condition)[lane] ? (*yes)[lane] : (*no)[lane];
    values[select] = lanes;
  }

  const LaunchFacts &launch;
  KernelTerms &terms;
  const AxisInfoAnalysis facts;
  const Sample sample;
  const unsigned drawn; ///< lanes that stand for the whole grid
  DenseMap<Value, Lanes> values;
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
