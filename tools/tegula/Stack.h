// Running on a stack of known size.
#pragma once

#include <functional>

namespace tegula::cli {

/// Gives back what `work` does, run on a stack that is large enough for every nesting that parser and evaluator
/// allow, whatever `ulimit -s` says; threads that are made later get one too. Where there is no memory for it:
/// an error on stderr and the status of a failed device.
int runOnLargeStack(const std::function<int()> &work);

} // namespace tegula::cli
