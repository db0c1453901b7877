// Random kernels as files, with what the interpreter makes of them: for a judge that is no part of this
// compiler.
#pragma once

#include "test/random/Differential.h"

#include <filesystem>

namespace tegula::random {

/// Writes `SEED.py`, the kernel's source, and `SEED.json`: its launch, each argument with its elements' bytes
/// in hexadecimal, and the bytes of each output after a run in the interpreter. `by_triton.py` reads them.
/// Returns why there is nothing to write: the kernel is refused or faults.
std::optional<Difference> saveKernel(Compiler &compiler, const RandomKernel &kernel,
                                     const std::filesystem::path &folder);

} // namespace tegula::random
