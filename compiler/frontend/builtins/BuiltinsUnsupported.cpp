// Names of the language that this compiler knows and does not implement: a kernel that uses one gets told
// so, instead of hearing that there is no such name.
#include "compiler/frontend/builtins/BuiltinTable.h"

using namespace tegula::eval;

namespace {

constexpr uint16_t tensor = InLanguage | OnTensor;

constexpr Builtin table[] = {
    {"cat", InLanguage, "", nullptr},
    {"split", tensor, "", nullptr},
    {"join", InLanguage, "", nullptr},
    {"interleave", InLanguage, "", nullptr},
    {"item", OnTensor, "", nullptr},
    {"gather", tensor, "", nullptr},
    {"flip", tensor, "", nullptr},
    {"make_block_ptr", InLanguage, "", nullptr},
    {"advance", tensor, "", nullptr},
    {"make_tensor_descriptor", InLanguage, "", nullptr},
    {"load_tensor_descriptor", InLanguage, "", nullptr},
    {"store_tensor_descriptor", InLanguage, "", nullptr},
    {"tensor_descriptor", InLanguage, "", nullptr},
    {"atomic_poll", tensor, "", nullptr},
    {"dot_scaled", InLanguage, "", nullptr},
    {"cumsum", tensor, "", nullptr},
    {"cumprod", tensor, "", nullptr},
    {"associative_scan", tensor, "", nullptr},
    {"sort", tensor, "", nullptr},
    {"topk", tensor, "", nullptr},
    {"bitonic_merge", InLanguage, "", nullptr},
    {"histogram", tensor, "", nullptr},
    {"inline_asm_elementwise", InLanguage, "", nullptr},
    {"map_elementwise", InLanguage, "", nullptr},
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
