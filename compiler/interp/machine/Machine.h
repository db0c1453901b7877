// One program as it runs: the values so far, and how ops of each kind compute theirs.
//
// A function becomes lists of steps once, before it runs: which handler an op has, and in which slots its
// operands and results lie. A handler reads operands by `Machine::operand`, writes `Machine::result`, and
// returns failure after `Machine::fail`.
#pragma once

#include "compiler/interp/Interpreter.h"
#include "compiler/interp/machine/Buffers.h"
#include "compiler/interp/machine/Coroutine.h"
#include "compiler/interp/values/Tensor.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <deque>
#include <optional>
#include <vector>

namespace tegula::interp {

class Machine;
struct Step;
struct Code;
struct TrustedRuns;

using Handler = mlir::LogicalResult (*)(Machine &, const Step &);
/// The handler of each op that the interpreter knows.
using HandlerTable = llvm::DenseMap<mlir::TypeID, Handler>;

template <typename Op> void addHandler(HandlerTable &table, Handler handler) {
  table[mlir::TypeID::get<Op>()] = handler;
}

/// Adds the ops of a group, of which each has a file of its own.
using AddOps = void(HandlerTable &table);
AddOps addIntegerOps, addFloatOps, addCastOps, addRoundedOps, addShapeOps, addMemoryOps, addViewOps,
    addAtomicOps, addReductionOps, addControlOps, addHintOps, addDeviceOps, addDotOps, addBufferOps,
    addProductOps, addTmaOps, addPipelineOps, addTmaStoreOps, addProducerOps;

/// One op.
struct Step {
  mlir::Operation *op = nullptr;
  Handler run = nullptr; ///< null for the terminator of a block: the op around it reads its operands
  llvm::SmallVector<unsigned, 4> operands;   ///< slots
  unsigned firstResult = 0;                  ///< slot; further results follow
  llvm::SmallVector<unsigned, 2> dead;       ///< slots whose values nothing needs after this op
  llvm::SmallVector<const Code *, 2> bodies; ///< one a region; null where the region is empty
  const TrustedRuns *trusted = nullptr;      ///< what is to be checked of an access before it runs
};

/// The ops of a block. The last is its terminator.
struct Code {
  std::vector<Step> steps;
  unsigned firstArgument = 0;
};

/// A function as code.
struct Program {
  std::deque<Code> blocks; ///< addresses stay
  const Code *entry = nullptr;
  unsigned slots = 0;
};

/// Fails with `problem` set where something cannot be interpreted.
mlir::LogicalResult buildProgram(mlir::func::FuncOp function, Program &program,
                                 std::optional<Fault> &problem);

/// Steps that an op costs whatever its size: what it takes to find its operands.
inline constexpr uint64_t stepsOfOp = 16;

class Machine {
public:
  Machine(const Program &program, Grid grid, Memory &memory, const Options &options)
      : memory(memory), options(options), grid(grid), blocks(grid), slots(program.slots) {}
  ~Machine() { producer.reset(); } // it uses the rest

  const Tensor &operand(const Step &step, unsigned index) const { return slots[step.operands[index]]; }
  const Tensor &result(const Step &step, unsigned index) const { return slots[step.firstResult + index]; }
  /// Sets a result. The handler knows whether an optional operand after `index` others is there.
  void setResult(const Step &step, Tensor value, unsigned index = 0) {
    slots[step.firstResult + index] = std::move(value);
  }
  /// Sets the only result, a scalar.
  void setScalar(const Step &step, uint64_t bits) {
    setResult(step, Tensor::scalar(step.op->getResult(0).getType(), bits));
  }
  void setResults(const Step &step, llvm::SmallVector<Tensor> values) {
    for (unsigned i = 0; i < values.size(); ++i)
      setResult(step, std::move(values[i]), i);
  }
  void setSlot(unsigned slot, Tensor value) { slots[slot] = std::move(value); }

  /// Runs the ops of a block up to its terminator.
  mlir::LogicalResult run(const Code &code);
  /// The operands of a step from number `first` on.
  llvm::SmallVector<Tensor> operandsFrom(const Step &step, unsigned first) const;
  /// The values that a block's terminator hands on, from its operand `first` on.
  llvm::SmallVector<Tensor> yielded(const Code &code, unsigned first = 0) const {
    return operandsFrom(code.steps.back(), first);
  }

  /// Notes why the program stops. `element` is an index into an operand like `type`.
  mlir::LogicalResult fail(const Step &step, std::string text);
  mlir::LogicalResult fail(const Step &step, std::string text, mlir::Type type, size_t element);
  /// Fails where `value` is undefined at `index`, which `what`, such as "the mask", must not be.
  mlir::LogicalResult checkDefined(const Step &step, const Tensor &value, const char *what, size_t index = 0);

  /// Runs an op, and shows it to the observer, if there is one.
  mlir::LogicalResult observed(const Step &step);
  /// Ends the program because the observer wants it.
  mlir::LogicalResult stop(const Step &step) { return fail(step, "stopped by its observer"); }

  /// Takes away from what the program may still do.
  mlir::LogicalResult spend(const Step &step, uint64_t steps);

  /// Starts `code` as a coroutine of the rest of the program.
  void start(const Code &code) { producer = std::make_unique<Coroutine>(*this, code, slots); }
  void swapValues(std::vector<Tensor> &others) { slots.swap(others); }
  /// Lets the other side run where this one has to wait: fails where no side of the program can continue.
  mlir::LogicalResult letOthersRun(const Step &step);
  /// The program's own side is done with `last`; fails where the other never will be.
  mlir::LogicalResult endCoroutine(const Step &last);

  Memory &memory;
  llvm::ArrayRef<uint64_t> arguments; ///< of the launch
  SharedMemory shared;                ///< of the program that runs
  const Options &options;
  Grid grid, program{};
  Grid blocks; ///< those of `grid`, but of a persistent kernel along x alone
  uint64_t spent = 0;
  uint64_t changes = 0; ///< writes that changed memory, shared memory included; looks at the clock
  std::optional<Fault> fault;
  std::unique_ptr<Coroutine> producer; ///< the producer warps; null where there are none

private:
  std::vector<Tensor> slots;
};

/// The result of an op whose element `i` is `compute(i)` of element `i` of its operands; undefined where one
/// of theirs is. `compute` takes indices, and may be a scalar's.
template <typename Compute> Tensor elementwise(Machine &machine, const Step &step, Compute compute) {
  Tensor result(step.op->getResult(0).getType());
  for (size_t i = 0; i < result.size(); ++i)
    result.bits[i] = compute(i);
  for (unsigned operand = 0; operand < step.operands.size(); ++operand) {
    const Tensor &from = machine.operand(step, operand);
    if (from.undefined.empty())
      continue;
    result.undefined.resize(result.size());
    for (size_t i = 0; i < result.size(); ++i)
      result.undefined[i] |= from.undefined[i];
  }
  return result;
}

/// Makes an op's one result as `elementwise` does.
template <typename Compute>
mlir::LogicalResult computeElements(Machine &machine, const Step &step, Compute compute) {
  machine.setResult(step, elementwise(machine, step, compute));
  return mlir::success();
}

/// Handler of ops that do nothing here.
inline mlir::LogicalResult doNothing(Machine &, const Step &) { return mlir::success(); }
/// Handler of ops that hand their first operand on.
inline mlir::LogicalResult passOn(Machine &machine, const Step &step) {
  machine.setResult(step, machine.operand(step, 0));
  return mlir::success();
}

/// The reason why an op may not use an undefined element: "the mask is undefined".
inline constexpr const char *undefinedHint =
    ": it comes from memory never written, a masked load without `other`, or an operation without a result";

} // namespace tegula::interp
