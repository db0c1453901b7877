#include "runtime/device/HostQueue.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

namespace tegula::runtime {

namespace {

class HostStream final : public Stream {
public:
  HostStream() : Stream(nullptr, this) {} // of no device with a driver
  Result<void> synchronize() override { return {}; }
};

class HostEvent final : public Event {
public:
  explicit HostEvent(std::string device) : device(std::move(device)) {}

  Result<void> record(Stream *) override {
    time = Clock::now();
    return {};
  }
  Result<void> synchronize() override { return {}; }
  Result<float> millisecondsSince(const Event &start) override {
    const auto *from = dynamic_cast<const HostEvent *>(&start);
    if (!from || from->device != device || !from->time || !time)
      return Error{ErrorKind::InvalidArgument, fmt::format("expected two recorded events of the {}", device)};
    return std::chrono::duration<float, std::milli>(*time - *from->time).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  std::string device;
  std::optional<Clock::time_point> time; ///< when it was recorded
};

} // namespace

std::unique_ptr<Stream> makeHostStream() { return std::make_unique<HostStream>(); }
std::unique_ptr<Event> makeHostEvent(std::string device) {
  return std::make_unique<HostEvent>(std::move(device));
}

} // namespace tegula::runtime
