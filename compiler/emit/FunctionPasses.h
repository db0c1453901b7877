// The LLVM passes of emit, in the order in which they run.
#pragma once

#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace tegula {

/// Returns the analyses that a pass keeps that has left control flow as it was, and all where it has
/// `changed` nothing.
inline llvm::PreservedAnalyses keepingFlow(bool changed = true) {
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

/// The depth to which sums are taken apart: an index is the sum of a block's start, a thread's part and a
/// register's constant.
constexpr unsigned MaxSumDepth = 6;

/// A number that fits in 32 bits, divided by a 64-bit one of which nothing is known, is divided in 32 bits.
///
/// So are indices of a block divided by sizes of arrays, which programs of dynamic shapes pass as `i64`. The
/// hardware divides neither: 32 bits are some twenty instructions, 64 bits near a hundred, which ptxas takes
/// milliseconds to place. Magnitudes are divided, and signs put on afterwards; a divisor above 2^32 - 1
/// counts as 2^32 - 1, which is above any such dividend too.
struct NarrowDivisionsPass : llvm::PassInfoMixin<NarrowDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Turns `base[sext(i | 512)]` into `(base[sext(i)])[512]` where i has no bit in common with 512.
///
/// A thread's accesses to one array differ by constants. InstCombine folds those into the index, as `or
/// disjoint`, also below the shifts that reach rows of a power of two; after the widening to 64 bits nothing
/// takes them out again, and each access would compute an address of its own. Apart, the part in i is
/// computed once and the constant becomes the immediate of the instruction. Widening distributes over a
/// disjoint or with a constant that is not negative, as it does over a sum that cannot overflow.
struct SplitAddressesPass : llvm::PassInfoMixin<SplitAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Turns `(m | 8) - (n | 8)`, `m - (n | 8)` and the like into `d`, `d - 8`, where d is m - n and the ors are
/// disjoint: sums. Equal ones are one then, and so is what is made of them.
///
/// A mask or a bias may depend on how far a row is from a column. Of 64 elements that a thread has of a
/// product of 64 by 64 there are 34 distances, each of which would be computed, compared and converted once
/// for each element: attention to a window of 1024 keys took 1174 instructions a step, and takes 943.
struct ShareDifferencesPass : llvm::PassInfoMixin<ShareDifferencesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Offsets of 32 bits that are widened outside of a loop and added to a pointer inside are widened inside.
///
/// Hoisting takes the widening out of the loop, so that each offset lives through it in two registers. Where
/// the pointer moves, the addition is made in any case, and the widening comes with it for nothing:
/// `mul.wide` and `add` are one instruction (IMAD.WIDE). A loop around matrix products has a dozen such
/// offsets and no register to spare.
struct RepeatWideningPass : llvm::PassInfoMixin<RepeatWideningPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Makes `d > 512`, `d > 1024` of several comparisons `x + 512 < n`, `x + 1024 < n`, where d is the distance
/// from x to n, a number without a sign, and 0 where n is below x.
///
/// A mask's comparisons are needed before the loads and before the stores. ptxas has seven predicates, and
/// keeps the sums in registers, as it does not compute them again in another block: 32 of a row's registers
/// in softmax. The difference is one. So are columns that a causal mask compares with several rows: 16
/// registers in attention's backward pass, of which ptxas spilled 32 when three blocks were to share a
/// multiprocessor.
struct CompareDistancesPass : llvm::PassInfoMixin<CompareDistancesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Computes index arithmetic anew behind a loop that is short of registers and does not use it.
///
/// The addresses and masks with which a kernel loads at its start are often those with which it stores at its
/// end. Equal values were made one, so that each lives through the loop between:
///
///     offset = row * stride                    offset = row * stride
///     ... load offset                          ... load offset
///     for ...                                  for ...
///     ... store offset                         ... store again(row) * again(stride)
///
/// Causal attention with heads of 128 carries 16 such offsets of 64 bits through both of its loops, next to
/// 128 registers of sums, and ptxas spilled. It recomputes little by itself. What is computed anew begins
/// with what the loop uses in any case, with arguments and with special registers, by way of pieces of
/// assembly (`again`) that the backend does not know to be copies: it would find the values equal once more.
struct RecomputeAfterLoopsPass : llvm::PassInfoMixin<RecomputeAfterLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Packs elements of 8 or 16 bits in the block that computes them, where a later one would.
///
/// The backend narrows two numbers by one instruction (`cvt.rn.bf16x2.f32`) where it sees them packed, and it
/// looks at one block. A wait for a copy ends a block, so that what a product multiplies after it was
/// narrowed number by number before: 64 instructions more for each step of attention, and a register for each
/// half.
struct PackEarlyPass : llvm::PassInfoMixin<PackEarlyPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Moves each instruction that only computes to where its block first needs it, just after its operands.
///
/// A tensor op was written out register by register, so that all registers of one op precede the first of the
/// next: hundreds of values live where a few would do, and ptxas, which reads the order as a wish, has to
/// take it apart again (or to spill). Going from each access, shuffle and barrier to what it needs, depth
/// first, an element is finished before the next is begun. Accesses and all else with effects keep their
/// order: loads moved to where their values are needed cost up to 2% of the rate, since arithmetic came
/// between them.
///
/// Operands of a later store to global memory are not left to it where computing them at once frees more
/// registers than it takes: of two results of the same operands, the second is finished with the first, and
/// not held back with its operands until all of the first are stored. A backward pass of SwiGLU that stores
/// two gradients takes 64 registers so and not 85, and two blocks share a multiprocessor.
struct PlaceNearUsesPass : llvm::PassInfoMixin<PlaceNearUsesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Lets short loops compare at their end, behind a comparison before the first iteration: one branch an
/// iteration instead of two, and nothing between them that an iteration repeats.
///
/// Long loops stay as they are: a branch in a few hundred instructions is nothing, and ptxas, which turns
/// loops round by itself, finds other registers for them. On sm_80 and sm_90a some products of warps took 20
/// more, some as many less, and two kernels began to spill.
struct RotateLoopsPass : llvm::PassInfoMixin<RotateLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &analyses,
                              llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &updater);
};

/// Marks loops with a product of warp groups (`wgmma`), and those that `split-dots` makes of long products of
/// threads, as not to be unrolled: their PTX says `.pragma "nounroll"`.
///
/// ptxas unrolls the former by four otherwise, and takes most of its time to place the accumulators of the
/// copies, which have to lie in a row: on an H200's kernels of Inductor's matmul template 1.8 s instead of
/// 0.11, 2.3 instead of 0.07. Such a loop has nothing to win: its products wait for each other, and its loads
/// are in flight by the schedule. The latter it has left alone so far; unrolled they would be what they were
/// made of.
struct KeepProductLoopsPass : llvm::PassInfoMixin<KeepProductLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// A number of 64 bits is subtracted from the upper half of a product of 32 bits by subtracting the other way
/// round and changing the sign: `z - x` becomes `-(x - z)`, in PTX that LLVM does not fold.
///
/// Of `sub.s64 (cvt.u64.u32 (mul.hi.u32 a, b)), x` ptxas 13.0, and the assembler in the driver, make an
/// `IMAD.HI.U32` that adds the negated lower word of x. What negating carries over is not in the carry of
/// that addition: where the lower word of x is 0 the difference is 2^32 too small. On an H100 each of such x
/// gives a wrong number, in every spelling but those that ptxas does not see through: this one costs an
/// instruction or two. A division by a constant is such a product.
struct KeepBorrowsPass : llvm::PassInfoMixin<KeepBorrowsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Two products of one piece of PTX whose first operand is in the same registers get different ones: to a
/// register of the later product something is added that is 0, of which ptxas does not know it.
///
/// Of two `wgmma` with equal operands ptxas 13.0, and the assembler in the driver, make one, as they may, but
/// the sums of the other are then read from registers that are never written. A warp group with 128 rows of a
/// matrix that is the same in each of them, say of a number of the program, makes such products. ptxas looks
/// through moves, and through a shuffle of what is the same in all lanes; the size of the dynamic shared
/// memory it takes as it comes.
struct SeparateProductsPass : llvm::PassInfoMixin<SeparateProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Loads of several elements of 8 or 16 bits, each of which is used by itself, become loads of words, of
/// which elements are taken by shifts.
///
/// Of `ld.shared.v2.b16` from an address that is the same in all threads ptxas 13.0, and the assembler in the
/// driver, keep the two elements in one uniform register and may read the second one from the register behind
/// it, which holds something else.
struct LoadWordsPass : llvm::PassInfoMixin<LoadWordsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

/// Floats that become integers of 8 or 16 bits, with which something is computed, do so by way of 32 bits,
/// with the limits of 16 that `cvt` has.
///
/// ptxas 13.0, and the assembler in the driver, take it that the result of `cvt.rzi.u16.f32` has zeros in the
/// upper half of its register, and compare all of that, but may have copied the lower half alone to a
/// register of which the upper one is anything: `%rs1 > 251` then holds for 0.
struct WidenConversionsPass : llvm::PassInfoMixin<WidenConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tegula
