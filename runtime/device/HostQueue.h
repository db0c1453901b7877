// Streams and events of a device whose work is done when the call that asks for it returns.
#pragma once

#include "runtime/device/Device.h"

#include <memory>
#include <string>

namespace tegula::runtime {

std::unique_ptr<Stream> makeHostStream();

/// An event that takes the host's clock. `device` is the name of its device in messages: events of different
/// devices have no time between them.
std::unique_ptr<Event> makeHostEvent(std::string device);

} // namespace tegula::runtime
