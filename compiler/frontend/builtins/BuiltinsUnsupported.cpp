// Names of the language that this compiler knows and does not implement: a kernel that uses one gets told
// so, instead of hearing that there is no such name.
#include "compiler/frontend/builtins/BuiltinTable.h"

using namespace tegula::eval;

namespace {

constexpr uint16_t tensor = InLanguage | OnTensor;

constexpr Builtin table[] = {
    {"item", OnTensor, "", nullptr},
    {"atomic_poll", tensor, "", nullptr},
    {"dot_scaled", InLanguage, "", nullptr},
    {"inline_asm_elementwise", InLanguage, "", nullptr},
    {"map_elementwise", InLanguage, "", nullptr},
    {"gather", OnDescriptor, "", nullptr},
    {"scatter", OnDescriptor, "", nullptr},
    {"atomic_add", OnDescriptor, "", nullptr},
    {"atomic_and", OnDescriptor, "", nullptr},
    {"atomic_max", OnDescriptor, "", nullptr},
    {"atomic_min", OnDescriptor, "", nullptr},
    {"atomic_or", OnDescriptor, "", nullptr},
    {"atomic_xor", OnDescriptor, "", nullptr},
    // Types: they can be compared with, which kernels do before they use them.
    {"float8e4b15", InLanguage, "", nullptr},
    {"float8e4b8", InLanguage, "", nullptr},
    {"float8e5b16", InLanguage, "", nullptr},
    {"globaltimer", InCuda, "", nullptr},
    {"smid", InCuda, "", nullptr},
    {"gdc_wait", InCuda, "", nullptr},
    {"gdc_launch_dependents", InCuda, "", nullptr},
};

} // namespace

std::span<const Builtin> tegula::eval::unsupportedBuiltins() { return table; }
