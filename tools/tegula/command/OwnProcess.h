// The command itself in a process of its own: whatever a kernel does there, who asked is still here.
#pragma once

#include "dialect/image/Result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace tegula::cli {

/// The end of a process: its exit status and all that it wrote.
struct Finished {
  int status = 0; ///< the exit status
  std::string out, err;
};

/// Runs `tegula` with `words`, given `input` on standard input, else nothing. Of each output a mebibyte is
/// kept, behind which a line says that there was more. Errors: Driver where it cannot be started,
/// Interrupted where it was given up after `seconds` or because `isStopped` said so, Fault where it ended by
/// a signal; Io.
runtime::Result<Finished> runSelf(std::span<const std::string> words, const std::optional<std::string> &input,
                                  int64_t seconds, std::function<bool()> isStopped = {});

} // namespace tegula::cli
