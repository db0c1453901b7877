// Names of the language that this compiler knows and does not implement: a kernel that uses one gets told
// so, instead of hearing that there is no such name.
#include "compiler/frontend/builtins/BuiltinTable.h"

using namespace tegula::eval;

namespace {

constexpr uint16_t tensor = InLanguage | OnTensor;

constexpr Builtin table[] = {
    {"slice", InLanguage, "", nullptr},
    {"atomic_poll", tensor, "", nullptr},
    {"map_elementwise", InLanguage, "", nullptr},
};

} // namespace

std::span<const Builtin> tegula::eval::unsupportedBuiltins() { return table; }
