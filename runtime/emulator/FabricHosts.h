// The host programs of a fabric's ranks, which run in one process and one at a time.
//
// Each has a thread of its own. A host goes on until it waits for its device or for the other ranks, or ends;
// then the caller that resumed it goes on. So equal seeds give equal runs, and a host needs no locks against
// the others.
#pragma once

#include "dialect/image/Result.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tegula::runtime {

class FabricHosts {
public:
  using Host = std::function<Result<void>(uint32_t rank)>;
  enum class State : uint8_t { Ready, Meets, Ended };

  /// None of the hosts has begun. Throws std::system_error where the machine gives no thread to each.
  FabricHosts(uint32_t world, Host host);
  /// Hosts that have not ended are cancelled.
  ~FabricHosts();
  FabricHosts(const FabricHosts &) = delete;
  FabricHosts &operator=(const FabricHosts &) = delete;

  /// Lets the host of `rank`, which has not ended, go on until it waits or ends.
  void resume(uint32_t rank);
  State stateOf(uint32_t rank) const { return states[rank]; }
  /// Hosts that met all others may go on.
  void endMeeting();
  /// From now on each wait of a host returns an error at once: `error` on `rank`, on the others that it has
  /// failed. Returns when all hosts have ended.
  void cancel(uint32_t rank, const Error &error);
  /// The error that the host of `rank` has ended with.
  const std::optional<Error> &errorOf(uint32_t rank) const { return errors[rank]; }

  /// The rank whose host this thread runs; none on other threads.
  static std::optional<uint32_t> ownRank();
  /// On a host's thread: waits for its device, or for all ranks. Errors: that of `cancel`.
  static Result<void> waitForDevice();
  static Result<void> meet(bool orders);
  /// Returns true if a host that meets the others has asked that all behind the meeting comes after all in
  /// front of it.
  bool meetingOrders() const { return orders; }

private:
  static constexpr int64_t noRank = -1;
  struct Failure {
    uint32_t rank;
    Error error;
  };
  void runHost(uint32_t rank);
  /// Cancels hosts that have not ended, and waits for all threads.
  void stop();
  /// Hands the turn back and waits for the next one.
  Result<void> pause(uint32_t rank, State state);

  Host host;
  std::mutex mutex; ///< of what follows
  std::condition_variable changed;
  int64_t turn = noRank;
  bool orders = false;
  std::vector<State> states;
  std::vector<std::optional<Error>> errors;
  std::optional<Failure> failure;
  std::vector<std::thread> threads;
};

} // namespace tegula::runtime
