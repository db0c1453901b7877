// A program run as a helper: it is given a file, and what it prints is heard line by line.
#pragma once

#include "dialect/image/Result.h"

#include <functional>
#include <string>
#include <vector>

namespace tegula::cli::bench {

/// Runs `words`, a program found on PATH and its arguments, to its end; `hear` gets each line of its standard
/// output as it comes, without its end. Messages go where ours go. Errors: Unavailable where it cannot be
/// started; Driver where it ends by a signal or with another status than 0.
runtime::Result<void> runHelper(const std::vector<std::string> &words,
                                const std::function<void(const std::string &)> &hear);

} // namespace tegula::cli::bench
