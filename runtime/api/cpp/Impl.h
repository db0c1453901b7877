// The objects behind the handles of the C++ API, Results turned into exceptions, and compile-time values of
// the API as the compiler has them.
#pragma once

#include "runtime/api/tegula.h"
#include "runtime/device/Device.h"
#include "runtime/jit/launch/Jit.h"

#include <memory>
#include <utility>

namespace tegula {
inline namespace v1 {

[[noreturn]] void raise(const runtime::Error &error);

inline void check(const runtime::Result<void> &result) {
  if (!result)
    raise(result.error());
}
template <typename T> T take(runtime::Result<T> result) {
  if (!result)
    raise(result.error());
  return std::move(*result);
}

/// The messages of a compiler. `Diagnostics` is a list of its own.
template <typename Diagnostics> std::vector<Message> messagesOf(const Diagnostics &diagnostics) {
  std::vector<Message> messages;
  for (const auto &from : diagnostics) {
    Message message{.message = from.message,
                    .file = from.file,
                    .line = from.line,
                    .column = from.column,
                    .endColumn = from.endColumn,
                    .sourceLine = from.sourceLine,
                    .help = from.help.value_or(""),
                    .notes = messagesOf(from.notes)};
    using Theirs = decltype(from.severity);
    message.severity = from.severity == Theirs::Error     ? Message::Severity::Error
                       : from.severity == Theirs::Warning ? Message::Severity::Warning
                                                          : Message::Severity::Note;
    messages.push_back(std::move(message));
  }
  return messages;
}

struct Device::Impl {
  std::shared_ptr<runtime::Device> device;
};

struct Stream::Impl {
  std::shared_ptr<runtime::Device> device; ///< keeps it open; null of a stream of the caller's
  std::unique_ptr<runtime::Stream> stream;
};

/// Returns the value of the parameter `name`. Errors: InvalidArgument for a host function.
runtime::Result<BoundValue> parameterValue(const std::string &name, Constexpr value);

/// Returns what `value` binds `name` to in a source. Errors: InvalidArgument for a descriptor.
runtime::Result<BoundValue> nameValue(const std::string &name, Constexpr value);

} // namespace v1
} // namespace tegula
