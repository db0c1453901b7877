// The border of the C ABI: Results and exceptions become handles of errors, and null is refused by name.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/api/tegula_c.h"

#include <utility>

namespace tegula::c {

/// A handle of `error`, for the caller to free. Never null: without memory it is one that exists already.
tegula_error *makeError(runtime::Error error) noexcept;

/// The handle of the exception that is being handled.
tegula_error *errorOfException() noexcept;

/// Runs `body`, which gives a Result<void>: null for success, else the error or exception as a handle.
template <typename Body> tegula_error *guarded(Body body) noexcept {
  try {
    runtime::Result<void> done = body();
    return done ? nullptr : makeError(std::move(done.error()));
  } catch (...) {
    return errorOfException();
  }
}

/// An argument of the caller with its name for messages.
struct Required {
  /// To an object or a function.
  template <typename T> Required(T *pointer, const char *name) : isGiven(pointer), name(name) {}

  bool isGiven;
  const char *name;
};

/// InvalidArgument for the first of `pointers` that is null: "expected `device`, found null".
template <typename... Pointers> runtime::Result<void> require(Pointers... pointers) {
  for (const Required &one : {Required(pointers)...})
    if (!one.isGiven)
      return runtime::Error{runtime::ErrorKind::InvalidArgument,
                            std::string("expected `") + one.name + "`, found null"};
  return {};
}

} // namespace tegula::c
