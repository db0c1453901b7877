// A pass over machine code: an instruction without a place of its own gets that of what it serves.
#pragma once

namespace llvm {
class MachineFunctionPass;
}

namespace tegula {

/// LLVM drops the place of what it moves, merges and copies, and gives what it makes in front of a loop that
/// of the loop. Such instructions, and what only the kernel's or a loop's head is named for, get the place of
/// the first instruction that uses their result. What a loop counts and asks to go on keeps the loop's.
/// Changes no code. Runs last, when no pass behind it drops a place. The caller owns the pass.
llvm::MachineFunctionPass *createRecoverPlacesPass();

} // namespace tegula
