// Streams and events of a device whose work is done when the call that asks for it returns, or when a caller
// waits for it.
#pragma once

#include "runtime/device/Device.h"

#include <functional>
#include <memory>
#include <string>

namespace tegula::runtime {

/// Carries out what such a device has put off.
using Settle = std::function<Result<void>()>;

/// `settle` may be empty: then there is nothing to wait for.
std::unique_ptr<Stream> makeHostStream(Settle settle = {});

/// An event that takes the host's clock. `device` is the name of its device in messages: events of different
/// devices have no time between them.
std::unique_ptr<Event> makeHostEvent(std::string device, Settle settle = {});

} // namespace tegula::runtime
