// The functions of the language that are implemented in C++, as one table: name, where it is found,
// signature, handler. Functions that are easier said in the language itself are in `library/`.
#pragma once

#include "compiler/frontend/eval/Value.h"

#include "llvm/ADT/SmallVector.h"

#include <span>
#include <string>
#include <string_view>

namespace tegula::eval {

class Call;
using Handler = Value (*)(Call &call);

/// The namespaces in which a name is found; a name may be in several.
enum Home : uint16_t {
  InLanguage = 1 << 0,   ///< tl.name
  InMath = 1 << 1,       ///< tl.math.name
  InTriton = 1 << 2,     ///< triton.name
  InLibdevice = 1 << 3,  ///< libdevice.name
  InCuda = 1 << 4,       ///< tl.extra.cuda.name
  InTargetInfo = 1 << 5, ///< tl.target_info.name
  InPython = 1 << 6,     ///< name
  InPythonMath = 1 << 7, ///< math.name
  OnTensor = 1 << 8,     ///< tensor.name
  OnType = 1 << 9,       ///< dtype.name
  OnText = 1 << 10,      ///< str.name
  OnDict = 1 << 11,      ///< dict.name
  InDriver = 1 << 12,    ///< triton.runtime.driver.active.name
  InItertools = 1 << 13, ///< itertools.name
};

struct Builtin {
  std::string_view name;
  uint16_t homes;
  /// Parameters as Python writes them, `a, b=None, *rest, c=1`; what follows `=` documents.
  std::string_view signature;
  /// Null for a function of the language that this compiler knows and does not support.
  Handler handler;
};

struct BuiltinParameter {
  std::string_view name;
  bool required = true;
  bool keywordOnly = false;
  bool rest = false; ///< `*name`
};
using BuiltinParameters = llvm::SmallVector<BuiltinParameter, 8>;
BuiltinParameters parseSignature(std::string_view signature);

/// The function `name` in any of `homes`, or null.
const Builtin *findBuiltin(std::string_view name, uint16_t homes);
/// Calls `visit` with each public name in any of `homes`.
void forEachBuiltin(uint16_t homes, llvm::function_ref<void(std::string_view)> visit);

/// "tl.load", "libdevice.tanh", "len".
std::string qualifiedName(const Builtin &builtin);

/// "`tl.dot` belongs to the language, but this compiler does not support it".
std::string unsupportedMessage(const Builtin &builtin);

// Their sources, by subject.
std::span<const Builtin> creationBuiltins();
std::span<const Builtin> shapeBuiltins();
std::span<const Builtin> dotBuiltins();
std::span<const Builtin> mathBuiltins();
std::span<const Builtin> libdeviceBuiltins();
std::span<const Builtin> reduceBuiltins();
std::span<const Builtin> memoryBuiltins();
std::span<const Builtin> atomicBuiltins();
std::span<const Builtin> debugBuiltins();
std::span<const Builtin> targetBuiltins();
std::span<const Builtin> typeBuiltins();
std::span<const Builtin> pythonBuiltins();
std::span<const Builtin> hostBuiltins();
std::span<const Builtin> pythonMathBuiltins();
std::span<const Builtin> unsupportedBuiltins();

} // namespace tegula::eval
