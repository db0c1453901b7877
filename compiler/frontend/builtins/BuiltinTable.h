// Tables, by subject, of the functions of the language that are implemented in C++, each made of the `.pyi`
// next to its handlers. Functions that are easier written in the language itself are in `library/`.
#pragma once

#include "compiler/frontend/eval/FunctionTable.h"

#include <span>

namespace tegula::eval {

/// Every function of the language; made once a process, at the first call.
const FunctionTable &languageFunctions();

// Its sources, by subject.
std::span<const Builtin> creationBuiltins();
std::span<const Builtin> shapeBuiltins();
std::span<const Builtin> joinBuiltins();
std::span<const Builtin> dotBuiltins();
std::span<const Builtin> mathBuiltins();
std::span<const Builtin> libdeviceBuiltins();
std::span<const Builtin> roundedBuiltins();
std::span<const Builtin> reduceBuiltins();
std::span<const Builtin> mapBuiltins();
std::span<const Builtin> memoryBuiltins();
std::span<const Builtin> viewBuiltins();
std::span<const Builtin> atomicBuiltins();
std::span<const Builtin> debugBuiltins();
std::span<const Builtin> targetBuiltins();
std::span<const Builtin> deviceBuiltins();
std::span<const Builtin> externBuiltins();
std::span<const Builtin> typeBuiltins();
std::span<const Builtin> pythonBuiltins();
std::span<const Builtin> numberBuiltins();
std::span<const Builtin> operatorBuiltins();
std::span<const Builtin> sequenceBuiltins();
std::span<const Builtin> textBuiltins();
std::span<const Builtin> hostBuiltins();
std::span<const Builtin> pythonMathBuiltins();

} // namespace tegula::eval
