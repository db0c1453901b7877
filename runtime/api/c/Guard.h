// The border of the C ABI: Results and exceptions become handles of errors, null is refused by name, and
// structs may be those of another version.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/api/tegula_c.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>

namespace tegula::c {

/// A handle of `error`, for the caller to free. Never null: without memory it is one that exists already.
tegula_error *makeError(runtime::Error error) noexcept;

/// The handle of the exception that is being handled.
tegula_error *errorOfException() noexcept;

/// An argument of the caller with its name for messages.
struct Required {
  /// To an object or a function.
  template <typename T> Required(T *pointer, const char *name) : isGiven(pointer), name(name) {}

  bool isGiven;
  const char *name;
};

/// InvalidArgument for the first of `pointers` that is null: "expected `device`, found null".
runtime::Result<void> require(std::initializer_list<Required> pointers);

/// Runs `body`, which gives a Result<void>, where all of `pointers` are given: null for success, else the
/// error or exception as a handle.
template <typename Body> tegula_error *guarded(std::initializer_list<Required> pointers, Body body) noexcept {
  try {
    runtime::Result<void> done = require(pointers);
    if (done)
      done = body();
    return done ? nullptr : makeError(std::move(done.error()));
  } catch (...) {
    return errorOfException();
  }
}

/// A copy of `text` that the caller of the library gives back by `tegula_text_free`. Throws std::bad_alloc.
char *copyOf(const std::string &text);

// Structs begin with the size that the caller knows them by.

/// Copies of `from` what fits into the caller's struct, whose `size` stays.
template <typename Struct> void fill(Struct &to, Struct from) {
  from.size = to.size;
  std::memcpy(&to, &from, std::min(to.size, sizeof(Struct)));
}

/// The caller's struct, with zeros in the fields that the caller does not know of.
template <typename Struct> Struct read(const Struct &given) {
  Struct known{};
  std::memcpy(&known, &given, std::min(given.size, sizeof(Struct)));
  return known;
}

} // namespace tegula::c
