// A function of the language that is implemented in C++: name, place, parameters, handler. The functions
// themselves are in `builtins`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tegula::eval {

struct Value;
class Call;
using Handler = Value (*)(Call &call);

/// The namespaces in which a name is found; a name may be in several.
enum Home : uint32_t {
  InLanguage = 1 << 0,    ///< tl.name
  InMath = 1 << 1,        ///< tl.math.name
  InTriton = 1 << 2,      ///< triton.name
  InLibdevice = 1 << 3,   ///< libdevice.name
  InCuda = 1 << 4,        ///< tl.extra.cuda.name
  InTargetInfo = 1 << 5,  ///< tl.target_info.name
  InPython = 1 << 6,      ///< name
  InPythonMath = 1 << 7,  ///< math.name
  OnTensor = 1 << 8,      ///< tensor.name
  OnType = 1 << 9,        ///< dtype.name
  OnText = 1 << 10,       ///< str.name
  OnDict = 1 << 11,       ///< dict.name
  InDriver = 1 << 12,     ///< triton.runtime.driver.active.name
  InItertools = 1 << 13,  ///< itertools.name
  OnDescriptor = 1 << 14, ///< tensor_descriptor.name
  OnInteger = 1 << 15,    ///< int.name
  OnSequence = 1 << 16,   ///< list.name, tuple.name
};

struct BuiltinParameter {
  std::string_view name;
  bool required = true;
  bool keywordOnly = false;
  bool rest = false;     ///< `*name`
  bool keywords = false; ///< `**name`, the last: takes keywords of any other name
};

/// Made from the `def` in `builtins/*/*.pyi` that describes the function.
struct Builtin {
  std::string_view name;
  uint32_t homes;
  std::span<const BuiltinParameter> parameters;
  Handler handler;
  /// Set if it accepts names without a value and checks for them itself.
  bool takesUnknown;
  std::string_view prefix; ///< of the name in messages: "tl."
};

/// "tl.load", "libdevice.tanh", "len".
inline std::string qualifiedName(const Builtin &builtin) {
  return std::string(builtin.prefix) + std::string(builtin.name);
}

} // namespace tegula::eval
