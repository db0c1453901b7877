// A value, or what there is in its place: an error, a reason why not. `runtime::Result` is one, and so is the `Decision` of
// analyses and passes.
//
// `std::expected` is C++23; its members have these names, so that it can take this one's place. `llvm::Expected` aborts where
// an error goes unchecked, and layouts, `spec` and the runtime do without LLVM. `mlir::FailureOr` has no room for a reason.
#pragma once

#include <optional>
#include <utility>
#include <variant>

namespace tegula {

/// Either a `T` or an `E`. Check with `if (outcome)`, then use `*outcome`, else `outcome.error()`.
template <typename T, typename E> class [[nodiscard]] Outcome {
public:
  Outcome(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Outcome(E error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &operator*() { return *std::get_if<0>(&state); }
  const T &operator*() const { return *std::get_if<0>(&state); }
  T *operator->() { return std::get_if<0>(&state); }
  const T *operator->() const { return std::get_if<0>(&state); }
  T value() && { return std::move(**this); }
  E &error() { return *std::get_if<1>(&state); }
  const E &error() const { return *std::get_if<1>(&state); }

private:
  std::variant<T, E> state;
};

/// Success without a value, or an `E`.
template <typename E> class [[nodiscard]] Outcome<void, E> {
public:
  Outcome() = default;
  Outcome(E error) : failure(std::move(error)) {}

  explicit operator bool() const { return !failure; }
  void value() && {}
  E &error() { return *failure; }
  const E &error() const { return *failure; }

private:
  std::optional<E> failure;
};

} // namespace tegula

/// The value of an outcome; where it has none, the function that this stands in returns the error:
///
///     std::string text = TRY(readFile(path));
///     TRY(checkHead(text));
///
/// Stands as a statement, or as all that a variable begins with: within a larger expression it would leave that in its
/// middle, and of a `new` the memory. A block that is an expression is an extension of GNU's, which GCC and Clang take.
#define TRY(...)                                                                                             \
  __extension__({                                                                                            \
    auto &&tried = (__VA_ARGS__);                                                                            \
    if (!tried)                                                                                              \
      return std::move(tried.error());                                                                       \
    std::move(tried).value();                                                                                \
  })
