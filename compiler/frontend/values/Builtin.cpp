// Names a builtin in messages.
#include "compiler/frontend/values/Builtin.h"

using namespace tegula::eval;

std::string tegula::eval::qualifiedName(const Builtin &builtin) {
  struct Prefix {
    uint32_t home;
    std::string_view text;
  };
  static constexpr Prefix prefixes[] = {
      {InPython, ""},
      {InLanguage, "tl."},
      {InMath, "tl.math."},
      {InTriton, "triton."},
      {InLibdevice, "libdevice."},
      {InCuda, "tl.extra.cuda."},
      {InPythonMath, "math."},
      {InTargetInfo, "tl.target_info."},
      {InDriver, "triton.runtime.driver.active."},
      {InItertools, "itertools."},
      {OnDescriptor, "tensor_descriptor."},
  };
  for (const Prefix &prefix : prefixes)
    if (builtin.homes & prefix.home)
      return std::string(prefix.text) + std::string(builtin.name);
  return std::string(builtin.name);
}
