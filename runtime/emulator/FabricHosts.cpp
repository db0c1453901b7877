#include "runtime/emulator/FabricHosts.h"

#include <fmt/format.h>

#include <utility>

namespace tegula::runtime {

namespace {

/// The host that a thread runs.
struct Own {
  FabricHosts *hosts = nullptr;
  uint32_t rank = 0;
};
thread_local Own own; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): each thread's own

} // namespace

FabricHosts::FabricHosts(uint32_t world, Host host) : host(std::move(host)), states(world), errors(world) {
  try {
    for (uint32_t rank = 0; rank < world; ++rank)
      threads.emplace_back([this, rank] { runHost(rank); });
  } catch (...) { // the machine gives no more threads
    stop();
    throw;
  }
}

FabricHosts::~FabricHosts() { stop(); }

void FabricHosts::stop() {
  cancel(0, {ErrorKind::Interrupted, "the fabric was given up"});
  for (std::thread &thread : threads)
    thread.join();
}

std::optional<uint32_t> FabricHosts::ownRank() { return own.hosts ? std::optional(own.rank) : std::nullopt; }

Result<void> FabricHosts::waitForDevice() { return own.hosts->pause(own.rank, State::Ready); }

Result<void> FabricHosts::meet(bool orders) {
  {
    const std::lock_guard lock(own.hosts->mutex);
    own.hosts->orders |= orders;
  }
  return own.hosts->pause(own.rank, State::Meets);
}

void FabricHosts::runHost(uint32_t rank) {
  own = {this, rank};
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return turn == rank; });
  if (!failure) {
    lock.unlock();
    Result<void> done = host(rank);
    lock.lock();
    if (!done)
      errors[rank] = std::move(done.error());
  }
  states[rank] = State::Ended;
  turn = noRank;
  changed.notify_all();
}

Result<void> FabricHosts::pause(uint32_t rank, State state) {
  std::unique_lock lock(mutex);
  if (!failure) {
    states[rank] = state;
    turn = noRank;
    changed.notify_all();
    changed.wait(lock, [&] { return turn == rank; });
  }
  if (!failure)
    return {};
  if (failure->rank == rank)
    return failure->error;
  return Error{ErrorKind::Fault, fmt::format("rank {} has failed: {}", failure->rank, failure->error.text)};
}

void FabricHosts::resume(uint32_t rank) {
  std::unique_lock lock(mutex);
  turn = rank;
  changed.notify_all();
  changed.wait(lock, [&] { return turn == noRank; });
}

void FabricHosts::endMeeting() {
  const std::lock_guard lock(mutex);
  orders = false;
  for (State &state : states)
    if (state == State::Meets)
      state = State::Ready;
}

void FabricHosts::cancel(uint32_t rank, const Error &error) {
  {
    const std::lock_guard lock(mutex);
    if (!failure)
      failure = {rank, error};
  }
  for (uint32_t other = 0; other < threads.size(); ++other)
    if (states[other] != State::Ended)
      resume(other);
}

} // namespace tegula::runtime
