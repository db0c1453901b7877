// Functions of libdevice that this compiler knows and does not implement.
#include "compiler/frontend/builtins/BuiltinTable.h"

#include <array>

using namespace tegula::eval;

namespace {

constexpr std::string_view names[] = {
    "jn",
    "rcp64h",
    "tensor",
    "yn",
};

constexpr auto table = [] {
  std::array<Builtin, std::size(names)> made{};
  for (size_t i = 0; i < made.size(); ++i)
    made[i] = {names[i], InLibdevice, "", nullptr};
  return made;
}();

} // namespace

std::span<const Builtin> tegula::eval::unsupportedLibdeviceBuiltins() { return table; }
