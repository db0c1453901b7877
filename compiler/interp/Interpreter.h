// The reference interpreter: what a kernel means, without layouts, threads or PTX.
//
// It runs the programs of a grid one after the other, each op on whole tensors, in the plainest way that
// gives the right bits. It takes what the front end makes as well as what the simplify, distribute and
// schedule stages leave.
//
//     std::optional<interp::Fault> problem;
//     auto kernel = interp::Kernel::prepare(function, problem);
//     problem = kernel->launch({16, 1, 1}, {x, y, n}, memory, {});
#pragma once

#include "compiler/interp/values/Memory.h"
#include "compiler/interp/values/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tegula::interp {

/// Programs in x, y and z.
using Grid = std::array<uint32_t, 3>;

class Machine;
struct Step;

/// An op as it runs. Valid during the call that it is handed to.
class Moment {
public:
  Moment(const Machine &machine, const Step &step) : machine(machine), step(step) {}
  mlir::Operation *op() const;
  const Tensor &operand(unsigned index) const;
  /// A result of the op; only after it.
  const Tensor &result(unsigned index) const;

private:
  const Machine &machine;
  const Step &step;
};

/// Looks at programs as they run, op by op; may take its time. A function that returns false ends the launch,
/// which is a fault then.
class Observer {
public:
  virtual ~Observer() = default;
  /// A program begins: `index` counts in the order in which they run, `at` is its place in the grid.
  virtual bool begin(uint64_t index, const Grid &at) = 0;
  virtual bool before(const Moment &moment) = 0;
  virtual bool after(const Moment &moment) = 0;
  /// The op that runs has written `bytes` bytes of an allocation's data.
  virtual void wrote(const uint8_t *data, unsigned bytes) = 0;
};

struct Options {
  /// Blocks that run the programs of a persistent kernel, each a share; no more than there are programs.
  uint32_t blocks = 2;
  /// Steps that one program may take before it counts as endless; an op is `stepsOfOp` and one more for each
  /// element of its results. At the default a loop that does nothing ends after some ten seconds.
  uint64_t stepLimit = uint64_t(1) << 31;
  /// Writing an undefined element to memory is a fault. Otherwise the memory becomes undefined.
  bool checkUndefinedStores = true;
  /// Takes what programs print, line by line; nothing is printed where it is empty.
  std::function<void(std::string_view)> print;
  /// Told after each program how many are done; may be empty.
  std::function<void(uint64_t)> progress;
  Observer *observer = nullptr;
  /// Programs before this one, in the order in which they run, are left out.
  uint64_t firstProgram = 0;
  /// Asked before each op whether to give up, which is a fault; may be empty.
  std::function<bool()> isInterrupted;
};

/// The reason why a program cannot continue.
struct Fault {
  std::string text; ///< lower case, no full stop
  mlir::Location location;
  Grid program{};      ///< where it runs; of a persistent kernel the block, in x
  std::string element; ///< "(3, 0)" where one element of a tensor is to blame, else empty
};

/// A function of `tile` and `tgpu`, ready to run any number of times. Refers to the function's operations:
/// use it only while they live, and from one thread at a time.
class Kernel {
public:
  /// Null, and `problem` set, where an op or a type is none that programs have before the lower stage.
  static std::unique_ptr<Kernel> prepare(mlir::func::FuncOp function, std::optional<Fault> &problem);
  ~Kernel();

  /// Runs all programs of `grid`, x fastest. `arguments` are the bits of the function's arguments, pointers
  /// being addresses in `memory`. Ends at the first fault and returns it.
  std::optional<Fault> launch(Grid grid, llvm::ArrayRef<uint64_t> arguments, Memory &memory,
                              const Options &options) const;

private:
  struct Impl;
  explicit Kernel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tegula::interp
