// A compiler for tests of the launcher: it knows one kernel, counts what it is asked, and answers with
// PTX written by hand.
//
//     def scale(x, n, factor, SCALE: tl.constexpr = 1): x[i] = n + factor for each of the block's threads
//
// A source "maps" takes a tensor map of x, with rows of n elements, and adds 1000; without the feature it
// does as the others. "maps always" does not listen.
#pragma once

#include "compiler/driver/Compiler.h"

#include <mutex>
#include <vector>

namespace tegula::test {

/// The specs compiled since the last call, in order.
std::vector<KernelSpec> takeCompiledSpecs();

} // namespace tegula::test
