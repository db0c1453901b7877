// Exit statuses of the command, and how its errors look.
#pragma once

#include "dialect/image/Result.h"

#include <string>
#include <string_view>

namespace tegula::cli {

enum Status : int {
  Done = 0,
  InputWrong = 1,   ///< the kernel file or another file is wrong; diagnostics on stderr
  UsageWrong = 2,   ///< the command line is wrong
  DeviceFailed = 3, ///< the device failed, or the kernel faulted on it
};

/// Returns the status that goes with errors of this kind.
Status statusFor(runtime::ErrorKind kind);

/// Prints `error` to stderr and returns the status that goes with its kind.
int fail(const runtime::Error &error);

/// Returns the status of a command's work; prints the error where there is one.
inline int statusOf(const runtime::Result<int> &status) { return status ? *status : fail(status.error()); }

/// An error of the command line.
inline runtime::Error usageError(std::string text) {
  return {runtime::ErrorKind::InvalidArgument, std::move(text)};
}

} // namespace tegula::cli
