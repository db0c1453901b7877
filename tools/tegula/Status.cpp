#include "tools/tegula/Status.h"

#include <fmt/format.h>

#include <cstdio>

namespace tegula::cli {

using runtime::ErrorKind;

int fail(const runtime::Error &error) {
  if (error.kind == ErrorKind::Compile) { // rendered diagnostics, each with its own `error:`
    fmt::print(stderr, "{}", error.text);
    return InputWrong;
  }
  fmt::print(stderr, "error: {}\n", error.text);
  switch (error.kind) {
  case ErrorKind::InvalidArgument:
    return UsageWrong;
  case ErrorKind::Io:
    return InputWrong;
  default:
    return DeviceFailed;
  }
}

int failUsage(const std::string &text, const char *usage) {
  fmt::print(stderr, "error: {}\n{}", text, usage);
  return UsageWrong;
}

} // namespace tegula::cli
