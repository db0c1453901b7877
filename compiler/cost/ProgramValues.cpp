#include "compiler/cost/ProgramValues.h"

#include "dialect/tile/Tile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace tegula::cost {

/// Distance between the addresses of two parameters, which no offset in a kernel reaches.
static constexpr int64_t ArrayDistance = int64_t(1) << 44;

ProgramSample::ProgramSample(const LaunchFacts &launch) {
  const uint64_t programs = launch.programs();
  const uint64_t window = std::min<uint64_t>(programs, std::max(1u, launch.multiprocessors));
  const uint64_t first = (programs - window) / 2;
  isWhole = programs <= HalfLanes;
  drawn = isWhole ? unsigned(programs) : HalfLanes;
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

ProgramValues::ProgramValues(func::FuncOp kernel, const LaunchFacts &launch) : programs(launch) {
  for (auto [index, argument] : llvm::enumerate(kernel.getArguments())) {
    auto param = kernel.getArgAttrOfType<tile::ParamAttr>(unsigned(index), "tile.param");
    if (isa<tile::PtrType>(argument.getType())) {
      fill(argument, int64_t(index + 1) * ArrayDistance);
      continue;
    }
    const auto known = llvm::find_if(
        launch.numbers, [&](const auto &number) { return param && number.first == param.getName(); });
    if (known != launch.numbers.end() && argument.getType().isInteger())
      fill(argument, known->second);
  }
}

const Lanes *ProgramValues::of(Value value) const {
  auto found = values.find(value.getAsOpaquePointer());
  return found == values.end() ? nullptr : &found->second;
}

void ProgramValues::copy(Value from, Value to) {
  if (const Lanes *lanes = of(from))
    set(to, *lanes);
  else
    values.erase(to.getAsOpaquePointer());
}

void ProgramValues::select(const Lanes *condition, Value yes, Value no, Value to) {
  const Lanes *ofYes = of(yes), *ofNo = of(no);
  if (!condition || !ofYes || !ofNo)
    return;
  Lanes lanes;
  for (unsigned lane = 0; lane < LaneCount; ++lane)
    lanes[lane] = (*condition)[lane] ? (*ofYes)[lane] : (*ofNo)[lane];
  set(to, lanes);
}

template <typename Compute> void ProgramValues::binary(Operation &op, Compute compute) {
  const Lanes *a = of(op.getOperand(0)), *b = of(op.getOperand(1));
  if (!a || !b)
    return;
  Lanes lanes;
  for (unsigned lane = 0; lane < LaneCount; ++lane)
    lanes[lane] = compute((*a)[lane], (*b)[lane]);
  set(op.getResult(0), lanes);
}

void ProgramValues::fill(Value value, int64_t number) {
  Lanes lanes;
  lanes.fill(number);
  set(value, lanes);
}

void ProgramValues::evaluateConstant(arith::ConstantOp op) {
  if (auto number = dyn_cast<IntegerAttr>(op.getValue()))
    return fill(op, number.getType().isInteger(1) ? int64_t(!number.getValue().isZero()) : number.getInt());
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (splat && splat.getElementType().isInteger())
    fill(op, splat.getSplatValue<APInt>().getSExtValue());
}

/// The first element of what an op moves is the first of what it has, or all are one.
static bool keepsFirst(Operation &op) {
  return isa<tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::ReshapeOp, tile::TransOp,
             tile::HintOp, tile::OptBarrierOp, tile::ViewOp, tile::ViewBaseOp, tile::BitcastOp,
             tile::IntToPtrOp, tile::PtrToIntOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::IndexCastOp>(op);
}

void ProgramValues::evaluate(Operation &op) {
  if (keepsFirst(op))
    return copy(op.getOperand(0), op.getResult(0));
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
      .Case([&](tile::ProgramIdOp id) { set(id, programs.place[unsigned(id.getAxis())]); })
      .Case([&](tile::NumProgramsOp number) { set(number, programs.count[unsigned(number.getAxis())]); })
      .Case([&](arith::CmpIOp compare) {
        binary(op, [&](Signed a, Signed b) -> Signed {
          return arith::applyCmpPredicate(compare.getPredicate(), APInt(64, uint64_t(a)),
                                          APInt(64, uint64_t(b)));
        });
      })
      .Case([&](arith::SelectOp choice) {
        select(of(choice.getCondition()), choice.getTrueValue(), choice.getFalseValue(), choice);
      })
      .Case([&](arith::AddIOp) { wrapping([](uint64_t a, uint64_t b) { return a + b; }); })
      .Case([&](arith::SubIOp) { wrapping([](uint64_t a, uint64_t b) { return a - b; }); })
      .Case([&](arith::MulIOp) { wrapping([](uint64_t a, uint64_t b) { return a * b; }); })
      .Case([&](arith::AndIOp) { wrapping([](uint64_t a, uint64_t b) { return a & b; }); })
      .Case([&](arith::OrIOp) { wrapping([](uint64_t a, uint64_t b) { return a | b; }); })
      .Case([&](arith::XOrIOp) { wrapping([](uint64_t a, uint64_t b) { return a ^ b; }); })
      .Case([&](arith::ShLIOp) { wrapping([](uint64_t a, uint64_t b) { return b < 64 ? a << b : 0; }); })
      .Case<arith::ShRSIOp, arith::ShRUIOp>(
          [&](auto) { binary(op, [](Signed a, Signed b) { return a >> std::clamp<Signed>(b, 0, 63); }); })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) { dividing([](Signed a, Signed b) { return a / b; }); })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) { dividing([](Signed a, Signed b) { return a % b; }); })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [&](auto) { dividing([](Signed a, Signed b) { return a / b + (a % b > 0); }); })
      .Case<arith::FloorDivSIOp>(
          [&](auto) { dividing([](Signed a, Signed b) { return a / b - (a % b < 0); }); })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [&](auto) { binary(op, [](Signed a, Signed b) { return std::min(a, b); }); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [&](auto) { binary(op, [](Signed a, Signed b) { return std::max(a, b); }); });
}

} // namespace tegula::cost
