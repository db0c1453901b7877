// Notes of the registers that hold values, for debuggers. A value is followed from `tile.debug_value` to the
// PTX by LLVM's debug records, which no code changes for; in the PTX each record becomes a comment between
// two lines, which is taken out again.
//
//     lowerDebugValues(module);      // llvm dialect: the ops become calls, which `translate` makes records
//     recordDebugValues(*code);      // LLVM IR: it does so by this
//     createNoteValuesPass()         // machine code: those that are left become comments
//     takeValueNotes(ptx)            // text: the comments become a table
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class MachineFunctionPass;
class Module;
} // namespace llvm

namespace tegula {

/// From the line on, an element of a value is in a register.
struct ValueNote {
  uint32_t line = 0;    ///< of the PTX, in front of which the note stands; counts from 1
  uint32_t value = 0;   ///< as `tile.debug_value` counts them
  uint32_t element = 0; ///< of those of a thread
  std::string holder;   ///< "%r12", or the bits of a constant as "0x3f800000"; empty where nothing holds it
};

/// Replaces the `tile.debug_value` of a module of the `llvm` form by calls.
void lowerDebugValues(mlir::ModuleOp module);

/// Replaces these calls by debug records. Each element is a variable of its own, "VALUE.ELEMENT".
void recordDebugValues(llvm::Module &module);

/// Returns a pass over machine code that makes the records comments. Runs last. The caller owns it.
llvm::MachineFunctionPass *createNoteValuesPass();

/// Takes the comments out of `ptx`.
std::vector<ValueNote> takeValueNotes(std::string &ptx);

} // namespace tegula
