// Keeps passes of LLVM's backend from functions that they would take seconds for, or do nothing for.
#pragma once

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"

namespace tegula {

/// Returns the work that straight-line strength reduction has with `function`, in units of some tens to
/// hundreds of nanoseconds.
///
/// It compares each sum, product and address with every other that has an operand in common; and what it asks
/// about a pair walks through the arithmetic that both come from, sixteen steps deep at most, at each step
/// again. So each operand costs
///
///     users(v) * sum over its users of min(depth, 16)^2
///
/// and, as one constant added to one multiple of anything is compared with every other such sum, 16^2 for
/// each pair of those.
///
/// A chain of n multiply-adds of one addend has n^2 pairs, all as deep as can be. The addresses of a tile
/// have an operand in common for each row, and are some five steps deep.
uint64_t strengthReductionWork(const llvm::Function &function);

/// The part of it that each instruction of a function may cost on average. The most that a bundled kernel has
/// is 210 (a transposition of fp64); a chain of 32 multiply-adds has 3,300, a 128x256 product by 256 with
/// run-time strides 1,300. At the bound the pass takes some 30 ms for each thousand instructions where it is
/// slowest, and 5 in arithmetic of addresses.
inline constexpr uint64_t StrengthReductionWorkPerInstruction = 256;

/// The most that a whole function may cost, some 50 ms. The most that a bundled kernel has within the bound
/// above is 409,000 (the perceptron). A large backward pass of attention has two millions, which took 200 of
/// its 390 ms for three instructions of 7,289; of 206 public kernels, the slowest 90 among them, all together
/// have 0.04% more without.
inline constexpr uint64_t MaxStrengthReductionWork = uint64_t(1) << 19;

/// Returns whether `function` multiplies two numbers that are both unknown, as rows and strides that are
/// arguments are. Products by known numbers are shifts and multiply-adds, of which the pass saves nothing:
/// without it 180 kernels of TorchInductor with known sizes have 0.2% more instructions and 0.4% more
/// registers, and products with known strides, a tenth of whose compilation it was, the same. Where strides
/// are arguments, products of matrices have 0.8% more.
bool multipliesUnknowns(const llvm::Function &function);

/// The number of instructions from which on a function does without what takes a time that grows with the
/// square of its length: the preparation for instruction selection looks among all users of a bound for a
/// difference that a comparison could be made of, 1.3 of 1.7 s where there were 1,022 comparisons; joining
/// neighbouring accesses took 15% of the time of the longest. No kernel of fewer than some 15,000
/// instructions of PTX is that long.
inline constexpr unsigned MaxThoroughInstructions = 1 << 15;

/// While this lives, code generation of `module` leaves out
/// - straight-line strength reduction where it would take too long, which costs an instruction here and
///   there, or has nothing to do;
/// - with it the pass that regroups sums for what it has made (2% of the time of large kernels; without,
///   201 of 206 public kernels were the same, and all had 0.01% more);
/// - the preparation for instruction selection and the joining of neighbouring accesses, in functions of
///   more than `MaxThoroughInstructions`.
/// LLVM offers no switch for them, but asks its context's gate before each pass.
class BackendLimits : public llvm::OptPassGate {
public:
  explicit BackendLimits(const llvm::Module &module);
  ~BackendLimits() override;
  BackendLimits(const BackendLimits &) = delete;
  BackendLimits &operator=(const BackendLimits &) = delete;

  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) const override;

private:
  const llvm::Module &module;
  llvm::OptPassGate &before;
};

} // namespace tegula
