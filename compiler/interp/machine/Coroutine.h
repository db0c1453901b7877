// The producer warps, as a coroutine of the rest of a program.
//
// Both are one program to the interpreter, of which one side runs at a time, until it has to wait for the
// other: the producer as soon as it may, since overwriting too early is found by that. Each side has its own
// thread, for its own stack, and its own values.
#pragma once

#include "compiler/interp/machine/RunThread.h"
#include "compiler/interp/values/Tensor.h"

#include "mlir/Support/LogicalResult.h"

#include <vector>

namespace tegula::interp {

class Machine;
struct Code;

class Coroutine {
public:
  /// `code` runs on `machine` with `values`, by slot, to begin with; not before `run`.
  Coroutine(Machine &machine, const Code &code, std::vector<Tensor> values)
      : machine(machine), code(code), values(std::move(values)) {}

  /// Lets it run until it waits or has ended. Fails where it did.
  mlir::LogicalResult run();
  bool hasEnded() const { return ended; }
  /// Returns whether it is the side that runs.
  bool isRunning() const { return running; }
  /// Called by itself: lets the other side run. Fails where it is to end.
  mlir::LogicalResult wait() { return mlir::success(thread.pause()); }

private:
  Machine &machine;
  const Code &code;
  std::vector<Tensor> values; ///< of the side that does not run
  bool ended = false, running = false;
  mlir::LogicalResult result = mlir::success();
  RunThread thread; ///< last: it uses the others, and ends where it waits
};

} // namespace tegula::interp
