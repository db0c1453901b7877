// The pass `order-programs`: Passes.td says what it is for.
//
// A kernel that names its tiles row by row has them run in that order, and a row's tiles have one operand in
// common, of which the other operand is read whole. Groups of rows are walked column by column instead:
//
//      0  1  2  3          0  2  4  6
//      4  5  6  7    ->    1  3  5  7      (groups of two rows)
//      8  9 10 11          8  9 10 11
//
// What runs at once is then nearer to a square, and reads less of both.
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/LoopNest.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

namespace tegula {
#define GEN_PASS_DEF_ORDERPROGRAMSPASS
#include "compiler/schedule/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

namespace {

/// Rows of a group. 132 blocks that run at once then have 16 columns or so.
constexpr uint32_t MostRows = 8;

/// The tiles of a kernel, one for each program: number = row * columns + column.
struct TileTable {
  Value columns;     ///< the same for all programs; null where they are the programs along x
  Value row, column; ///< of a program, as the kernel computes them
  bool isOfAxes() const { return !columns; }
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

/// Finds the table whose rows and columns are quotients and remainders of `id`; `programs` is the loop around
/// the programs of a block.
std::optional<TileTable> tableOfNumber(Value id, scf::ForOp programs) {
  TileTable table;
  for (Operation *user : id.getUsers()) {
    if (!isQuotient(user, id) && !isRemainder(user, id))
      continue;
    Value divisor = user->getOperand(1), result = user->getResult(0);
    if (!programs.isDefinedOutsideOfLoop(divisor) || (table.columns && divisor != table.columns) ||
        isTakenApart(result))
      return std::nullopt;
    table.columns = divisor;
    (isQuotient(user, id) ? table.row : table.column) = result;
  }
  return table.row && table.column ? std::optional(table) : std::nullopt;
}

/// Finds the table of tiles of a kernel, whose programs are those of the loop `programs`.
std::optional<TileTable> tableOf(scf::ForOp programs) {
  Value x, y;
  for (auto id : programs.getOps<tile::ProgramIdOp>()) {
    if (id.getAxis() == tile::Axis::X)
      x = id;
    if (id.getAxis() == tile::Axis::Y)
      y = id;
  }
  if (x && y)
    return TileTable{{}, y, x};
  return x ? tableOfNumber(x, programs) : std::nullopt;
}

/// Returns whether some loads depend on the row of a program alone, and some on its column alone.
bool readsRowsAndColumns(scf::ForOp programs, const TileTable &table) {
  bool ofRows = false, ofColumns = false;
  programs.walk([&](tgpu::TmaLoadOp load) {
    auto dependsOnThis = [&](Value place) {
      return llvm::any_of(load.getStart(), [&](Value coordinate) {
        return dependsOn(coordinate, [&](Value source) { return source == place; });
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
  Value least(Value a, Value b) { return of<arith::MinSIOp>(a, b); }
  /// At least 1: nothing is divided by zero, whatever the program divides by.
  Value positive(Value a) { return of<arith::MaxUIOp>(a, number(1)); }
};

/// Has the programs of a block follow each other by groups of rows of `table`.
void order(scf::ForOp programs, TileTable table) {
  OpBuilder builder(programs);
  Emit emit{builder, programs.getLoc()};
  Value count = programs.getUpperBound();
  Value columns = table.isOfAxes()
                      ? tile::NumProgramsOp::create(builder, programs.getLoc(), tile::Axis::X).getResult()
                      : emit.positive(table.columns);
  Value rows = emit.of<arith::DivUIOp>(count, columns); // what is over is no whole row, and stays as it is
  Value ofPlane = table.isOfAxes()
                      ? tile::NumProgramsOp::create(builder, programs.getLoc(), tile::Axis::Y).getResult()
                      : rows;
  Value most = emit.positive(emit.of<arith::MinUIOp>(ofPlane, emit.number(MostRows)));
  Value ofGroup = emit.of<arith::MulIOp>(columns, most);
  Value whole = emit.of<arith::MulIOp>(rows, columns);

  builder.setInsertionPointToStart(programs.getBody());
  Value number = programs.getInductionVar();
  Value group = emit.of<arith::DivUIOp>(number, ofGroup), inGroup = emit.of<arith::RemUIOp>(number, ofGroup);
  Value first = emit.of<arith::MulIOp>(group, most);
  Value left = emit.of<arith::SubIOp>(rows, first);
  Value height = emit.of<arith::MaxSIOp>(emit.least(left, most), emit.number(1));
  Value row = emit.of<arith::AddIOp>(first, emit.of<arith::RemUIOp>(inGroup, height));
  Value column = emit.of<arith::DivUIOp>(inGroup, height);
  Value ordered = emit.of<arith::AddIOp>(emit.of<arith::MulIOp>(row, columns), column);
  if (!table.isOfAxes()) {
    Value isInTable =
        arith::CmpIOp::create(builder, programs.getLoc(), arith::CmpIPredicate::ult, number, whole);
    ordered = arith::SelectOp::create(builder, programs.getLoc(), isInTable, ordered, number);
  }
  programs.walk([&](tile::ProgramIdOp id) { id.getNumberMutable().assign(ordered); });
}

struct OrderPrograms : impl::OrderProgramsPassBase<OrderPrograms> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      scf::ForOp programs = programsOf(kernel.getBody().front());
      const std::optional<TileTable> table = programs ? tableOf(programs) : std::nullopt;
      if (!table || !readsRowsAndColumns(programs, *table))
        continue;
      order(programs, *table);
      remark::passed(kernel.getLoc(),
                     remark::RemarkOpts::name("order").category("order-programs").function(kernel.getName()))
          << remark::add("programs follow each other by groups of rows, which L2 has more of")
          << remark::metric("Rows", MostRows);
    }
  }
};

} // namespace

} // namespace tegula
