#include "tools/tegula/output/Status.h"

#include "tools/tegula/output/Output.h"

namespace tegula::cli {

using runtime::ErrorKind;

Status statusFor(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::InvalidArgument:
    return UsageWrong;
  case ErrorKind::Compile:
  case ErrorKind::Io:
    return InputWrong;
  default:
    return DeviceFailed;
  }
}

int fail(const runtime::Error &error) {
  // Rendered diagnostics have an `error:` each.
  say(error.diagnostics ? error.text : fmt::format("error: {}\n", error.text));
  return statusFor(error.kind);
}

} // namespace tegula::cli
