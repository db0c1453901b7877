// The pass `order-programs`: Passes.td says what it is for.
//
// A kernel that numbers its tiles row by row has them run in that order, and a row's tiles have one operand
// in common, of which the other operand is read whole. Groups of rows are walked column by column instead:
//
//      0  1  2  3          0  2  4  6
//      4  5  6  7    ->    1  3  5  7      (groups of two rows)
//      8  9 10 11          8  9 10 11
//
// What runs at once is then nearer to a square, and reads less of both.
#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/LoopNest.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_ORDERPROGRAMSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// Rows of a group. 132 blocks that run at once then have 16 columns or so.
constexpr uint32_t MostRows = 8;

/// With more columns the number of a program in its group may not fit 32 bits.
constexpr uint32_t MostColumns = 1u << 27;

/// The tiles of a kernel, one for each program.
struct TileTable {
  Value row, column; ///< of a program, as the kernel has them
  /// The divisor of a program's number in the kernel, the same for all; null where row and column are indices
  /// along two axes.
  Value columns;
  tile::ProgramIdOp x, y; ///< `y` is null where there are `columns`
};

template <typename Unsigned, typename Signed> bool divides(Operation *op, Value number) {
  return isa<Unsigned, Signed>(op) && op->getOperand(0) == number;
}
bool isQuotient(Operation *op, Value number) { return divides<arith::DivUIOp, arith::DivSIOp>(op, number); }
bool isRemainder(Operation *op, Value number) { return divides<arith::RemUIOp, arith::RemSIOp>(op, number); }

/// Returns whether `value` is taken apart again, as by a kernel that has an order of its own.
bool isTakenApart(Value value) {
  return llvm::any_of(value.getUsers(),
                      [&](Operation *user) { return isQuotient(user, value) || isRemainder(user, value); });
}

/// Finds the table whose rows and columns are quotients and remainders of `id`.
std::optional<TileTable> tableOfNumber(tile::ProgramIdOp id) {
  TileTable table{.x = id};
  for (Operation *user : id->getUsers()) {
    if (!isQuotient(user, id) && !isRemainder(user, id))
      continue;
    Value divisor = user->getOperand(1), result = user->getResult(0);
    if (!isSameForAllPrograms(divisor) || (table.columns && divisor != table.columns) || isTakenApart(result))
      return std::nullopt;
    table.columns = divisor;
    (isQuotient(user, id) ? table.row : table.column) = result;
  }
  return table.row && table.column ? std::optional(table) : std::nullopt;
}

/// Finds the table of a kernel; nothing where it asks for an index along an axis twice, in branches say.
std::optional<TileTable> tableOf(func::FuncOp kernel) {
  tile::ProgramIdOp x, y;
  const WalkResult all = kernel.walk([&](tile::ProgramIdOp id) {
    if (id.getAxis() == tile::Axis::Z)
      return WalkResult::advance();
    tile::ProgramIdOp &known = id.getAxis() == tile::Axis::X ? x : y;
    const bool isFirst = !known;
    known = id;
    return isFirst ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (all.wasInterrupted() || !x)
    return std::nullopt;
  if (!y)
    return tableOfNumber(x);
  return x->getBlock() == y->getBlock() ? std::optional(TileTable{y, x, {}, x, y}) : std::nullopt;
}

/// Returns whether some loads depend on the row of a program alone, and some on its column alone. Only loads
/// by TMA count: addresses that threads compute are more work with rows and columns of which less is known.
bool readsRowsAndColumns(func::FuncOp kernel, const TileTable &table) {
  bool ofRows = false, ofColumns = false;
  const Operation *programs = programsOf(kernel.getBody().front());
  kernel.walk([&](tgpu::TmaLoadOp load) {
    if (load->getParentOp() == programs)
      return; // once a program
    auto dependsOnThis = [&](Value place) {
      return llvm::any_of(load.getStart(), [&](Value from) {
        return dependsOn(from, [&](Value source) { return source == place; });
      });
    };
    const bool ofRow = dependsOnThis(table.row), ofColumn = dependsOnThis(table.column);
    ofRows |= ofRow && !ofColumn;
    ofColumns |= ofColumn && !ofRow;
  });
  return ofRows && ofColumns;
}

/// Emits arithmetic on 32-bit numbers without signs.
struct Emit {
  OpBuilder &builder;
  Location loc;

  Value number(uint32_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
  }
  template <typename Op> Value of(Value a, Value b) { return Op::create(builder, loc, a, b); }
  Value isLess(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }
  Value programs(tile::Axis axis) { return tile::NumProgramsOp::create(builder, loc, axis); }
  /// At least 1: nothing is divided by zero, whatever the program divides by.
  Value positive(Value a) { return of<arith::MaxUIOp>(a, number(1)); }
};

/// Moves what computes `value`, scalars of no program, in front of `op`.
void hoist(Value value, Operation *op) {
  Operation *made = value.getDefiningOp();
  if (!made || made->getBlock() != op->getBlock() || made->isBeforeInBlock(op))
    return;
  for (Value operand : made->getOperands())
    hoist(operand, op);
  made->moveBefore(op);
}

/// Replaces `id` everywhere but in the ops in front of `end`.
void replaceBehind(tile::ProgramIdOp id, Value by, Operation *end) {
  id.getResult().replaceUsesWithIf(by, [&](OpOperand &use) {
    return !id->getBlock()->findAncestorOpInBlock(*use.getOwner())->isBeforeInBlock(end);
  });
}

/// Has programs follow each other by groups of rows of `table`.
void order(TileTable table) {
  Operation *last = table.x;
  if (table.y) { // in front of all that uses either
    last = table.x->isBeforeInBlock(table.y) ? table.y : table.x;
    last->moveAfter(last == table.x ? table.y : table.x);
  } else {
    hoist(table.columns, table.x);
  }
  Operation *end = last->getNextNode();
  OpBuilder builder(end);
  Emit emit{builder, last->getLoc()};
  const bool isOfAxes = !table.columns;
  Value columns = isOfAxes ? emit.programs(tile::Axis::X) : emit.positive(table.columns);
  // Programs that fill no row stay in place.
  Value rows = isOfAxes ? emit.programs(tile::Axis::Y)
                        : emit.of<arith::DivUIOp>(emit.programs(tile::Axis::X), columns);
  Value row = isOfAxes ? table.row : emit.of<arith::DivUIOp>(table.x, columns);
  Value column = isOfAxes ? table.column : emit.of<arith::RemUIOp>(table.x, columns);

  Value isWide = emit.isLess(emit.number(MostColumns), columns);
  Value most = emit.select(isWide, emit.number(1), emit.number(MostRows));
  Value first = emit.of<arith::MulIOp>(emit.of<arith::DivUIOp>(row, most), most);
  Value height = emit.of<arith::MinUIOp>(emit.of<arith::SubIOp>(rows, first), most);
  Value isInTable = isOfAxes ? Value() : emit.isLess(row, rows);
  if (isInTable) // there may be no whole row
    height = emit.select(isInTable, height, emit.number(1));
  Value before = emit.of<arith::MulIOp>(emit.of<arith::SubIOp>(row, first), columns);
  Value inGroup = emit.of<arith::AddIOp>(before, column);
  Value newRow = emit.of<arith::AddIOp>(first, emit.of<arith::RemUIOp>(inGroup, height));
  Value newColumn = emit.of<arith::DivUIOp>(inGroup, height);
  if (isOfAxes) {
    replaceBehind(table.x, newColumn, end);
    replaceBehind(table.y, newRow, end);
    return;
  }
  Value number = emit.of<arith::AddIOp>(emit.of<arith::MulIOp>(newRow, columns), newColumn);
  replaceBehind(table.x, emit.select(isInTable, number, table.x.getResult()), end);
}

struct OrderPrograms : impl::OrderProgramsPassBase<OrderPrograms> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      // Launches tell kernels whose loops clusters share which programs they are.
      if (kernel.isExternal() || runsInClusters(kernel))
        continue;
      const std::optional<TileTable> table = tableOf(kernel);
      if (!table || !readsRowsAndColumns(kernel, *table) || !KernelEffects(kernel).areProgramsIndependent())
        continue;
      order(*table);
      kernel->setAttr("tile.ordered", UnitAttr::get(&getContext()));
      remark::passed(kernel.getLoc(), remarkOptions("order-programs", "order", kernel))
          << remark::add("programs follow each other by groups of rows, which L2 has more of")
          << remark::metric("Rows", MostRows);
    }
  }
};

} // namespace

} // namespace tegula
