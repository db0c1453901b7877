// A value, or the error that prevented it. The runtime has no exceptions below its public API.
#pragma once

#include "dialect/Outcome.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tegula {

struct Diagnostic; // the compiler's; the runtime hands it on and never looks inside

} // namespace tegula

namespace tegula::runtime {

/// The kinds of errors, by whose mistake it is.
enum class ErrorKind {
  InvalidArgument, ///< the caller passed something unusable; nothing was done
  Compile, ///< the source is wrong, or code that no assembler and no emulator takes; `text` holds rendered
           ///< diagnostics where `diagnostics` are given
  Unavailable,    ///< a driver, device or symbol is missing
  OutOfResources, ///< memory, shared memory, threads or grid exceed what the device has
  Driver,         ///< a driver call failed; `text` names call, code and kernel
  Fault,          ///< the kernel itself misbehaved while running
  Io,             ///< a file could not be read or written
  Interrupted,    ///< the caller asked to give up (`setInterruptCheck`)
  Frozen, ///< a kernel would have to be prepared, and the process has frozen (`runtime/device/Freeze.h`)
  /// No tensor map describes an argument, the device makes none, or no clusters for a kernel that is run by
  /// them, or there are more programs than blocks can run. Launching a kernel then does without maps and
  /// clusters, so only callers that launch an image themselves see it.
  MapRefused,
};

/// A resource of which a device has too little.
struct Resource {
  std::string name; ///< "shared memory", "threads", ...; empty where nothing is named
  uint64_t required = 0, limit = 0;
};

/// A place in the source of a kernel.
struct SourcePlace {
  std::string file;              ///< empty where the place is not known
  uint32_t line = 0, column = 0; ///< from 1
};

/// An error: its kind and one or more lines for a person, lower case, no full stop.
struct Error {
  ErrorKind kind;
  std::string text;
  /// Set for OutOfResources, and for Compile where the target has not enough for the kernel; as far as there
  /// are numbers.
  Resource resource = {};
  /// Set for Compile: what `text` renders; null where the error is about no source.
  std::shared_ptr<const std::vector<Diagnostic>> diagnostics = nullptr;
  /// Set for Fault, where a device knows it; `text` names it as well.
  SourcePlace place = {};
};

/// A value or an error; `TRY` passes the error on.
template <typename T> using Result = Outcome<T, Error>;

} // namespace tegula::runtime
