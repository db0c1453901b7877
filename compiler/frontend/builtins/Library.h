// The part of the language that is written in itself: `library/*.py`, embedded in the compiler and parsed
// once a process.
#pragma once

#include "compiler/frontend/eval/FunctionTable.h"

namespace tegula::eval {

/// The public functions of the library.
llvm::ArrayRef<LibraryFunction> libraryFunctions();

} // namespace tegula::eval
