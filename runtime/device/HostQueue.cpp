#include "runtime/device/HostQueue.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

namespace tegula::runtime {

namespace {

class HostStream final : public Stream {
public:
  explicit HostStream(Settle settle)
      : Stream(nullptr, this), settle(std::move(settle)) {} // of no device with a driver
  Result<void> synchronize() override { return settle ? settle() : Result<void>(); }

private:
  Settle settle;
};

class HostEvent final : public Event {
public:
  HostEvent(std::string device, Settle settle) : device(std::move(device)), settle(std::move(settle)) {}

  Result<void> record(Stream *) override {
    time = Clock::now();
    return {};
  }
  Result<void> synchronize() override { return settle ? settle() : Result<void>(); }
  Result<float> millisecondsSince(const Event &start) override {
    const auto *from = dynamic_cast<const HostEvent *>(&start);
    if (!from || from->device != device || !from->time || !time)
      return Error{ErrorKind::InvalidArgument, fmt::format("expected two recorded events of the {}", device)};
    return std::chrono::duration<float, std::milli>(*time - *from->time).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  std::string device;
  Settle settle;
  std::optional<Clock::time_point> time; ///< when it was recorded
};

} // namespace

std::unique_ptr<Stream> makeHostStream(Settle settle) {
  return std::make_unique<HostStream>(std::move(settle));
}
std::unique_ptr<Event> makeHostEvent(std::string device, Settle settle) {
  return std::make_unique<HostEvent>(std::move(device), std::move(settle));
}

} // namespace tegula::runtime
