// An observer of programs sees each op before and after it runs, and may end them.
#include "test/compiler/interp/InterpreterFixture.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Operation.h"

#include <gtest/gtest.h>

using namespace tegula::interp;

namespace {

/// Notes what it is told.
class Notes final : public Observer {
public:
  bool begin(uint64_t index, const Grid &at) override {
    text += "[" + std::to_string(index) + " " + std::to_string(at[0]) + "," + std::to_string(at[1]) + "]";
    return index != lastProgram;
  }
  bool before(const Moment &moment) override {
    text += " " + moment.op()->getName().stripDialect().str();
    if (auto add = llvm::dyn_cast<mlir::arith::AddIOp>(moment.op()))
      text += "(" + std::to_string(moment.operand(0).bits[0]) + ")";
    return --ops > 0;
  }
  bool after(const Moment &moment) override {
    if (llvm::isa<mlir::arith::AddIOp>(moment.op()))
      text += "=" + std::to_string(moment.result(0).bits[0]);
    return true;
  }
  void wrote(const uint8_t *data, unsigned bytes) override {
    text += " " + std::to_string(bytes) + ":" + std::to_string(*data);
  }

  std::string text;
  int ops = 1000;
  uint64_t lastProgram = 1000;
};

constexpr const char *program = R"(
func.func @f(%p: !tile.ptr<i32>) {
  %one = arith.constant 1 : i32
  %x = tile.program_id x
  %y = arith.addi %x, %one : i32
  tile.store %p, %y : !tile.ptr<i32>
  return
})";

Outcome observe(Notes &notes, Options options = {}, Grid grid = {2, 1, 1}) {
  std::vector<Array> arrays{{4, {0}}};
  options.observer = &notes;
  return run(program, arrays, {}, grid, options);
}

} // namespace

TEST(InterpreterObserver, SeesOpsWithTheirValuesAndWhatIsWritten) {
  Notes notes;
  EXPECT_EQ(observe(notes).text, "");
  EXPECT_EQ(notes.text, "[0 0,0] constant program_id addi(0)=1 store 4:1[1 1,0] constant program_id addi(1)=2 store 4:2");
}

TEST(InterpreterObserver, EndsALaunchBeforeAnOpOrAProgram) {
  Notes notes;
  notes.ops = 3;
  Outcome outcome = observe(notes);
  EXPECT_EQ(outcome.text, "stopped by its observer");
  EXPECT_EQ(notes.text, "[0 0,0] constant program_id addi(0)");
  Notes programs;
  programs.lastProgram = 1;
  outcome = observe(programs);
  EXPECT_EQ(outcome.text, "stopped by its observer");
  EXPECT_EQ(programs.text, "[0 0,0] constant program_id addi(0)=1 store 4:1[1 1,0]");
}

TEST(InterpreterObserver, ProgramsMayBeLeftOut) {
  Notes notes;
  Options options;
  options.firstProgram = 3;
  EXPECT_EQ(observe(notes, options, {2, 2, 1}).text, "");
  EXPECT_EQ(notes.text, "[3 1,1] constant program_id addi(1)=2 store 4:2");
}

TEST(InterpreterMemory, IsSavedAndRestoredWithWhatIsUndefined) {
  Memory memory;
  Allocation *first = memory.allocate(4), *second = memory.allocate(4);
  const uint32_t before = 7, after = 9;
  memory.write(first->base, &before, 4);
  const Memory::Snapshot saved = memory.save();
  memory.write(first->base, &after, 4);
  memory.write(second->base, &after, 4);
  EXPECT_EQ(memory.bytes(), 8u);
  EXPECT_FALSE(memory.isUndefined(second->base, 4));
  memory.restore(saved);
  uint32_t found = 0;
  EXPECT_TRUE(memory.read(&found, first->base, 4));
  EXPECT_EQ(found, 7u);
  EXPECT_FALSE(memory.isUndefined(first->base, 4));
  EXPECT_TRUE(memory.isUndefined(second->base, 4));
  EXPECT_EQ(memory.addressOf(second->data.get() + 2), second->base + 2);
  EXPECT_EQ(memory.addressOf(reinterpret_cast<const uint8_t *>(&found)), 0u);
}
