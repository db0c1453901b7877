#include "tools/tegula/lsp/Background.h"

#include <chrono>

namespace tegula::cli {

using Clock = std::chrono::steady_clock;

/// Nothing is compiled until nothing has come for this long: people type faster.
static constexpr std::chrono::milliseconds pause(150);
/// No kernel is begun or gone on with after this long.
static constexpr std::chrono::milliseconds budget(1000);

Background::Background(Finished finished) : finished(std::move(finished)), thread([this] { run(); }) {}

void Background::take(std::shared_ptr<const Analysis> analysis) {
  {
    std::lock_guard lock(mutex);
    ++changes;
    waiting[analysis->document.uri] = std::move(analysis);
  }
  changed.notify_all();
}

void Background::drop(const std::string &uri) {
  std::lock_guard lock(mutex);
  ++changes;
  waiting.erase(uri);
  isDropped |= current == uri;
}

void Background::end() {
  {
    std::lock_guard lock(mutex);
    isEnding = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

void Background::run() {
  std::unique_lock lock(mutex);
  while (!isEnding) {
    changed.wait(lock, [&] { return isEnding || !waiting.empty(); });
    const uint64_t before = changes;
    if (changed.wait_for(lock, pause, [&] { return isEnding || changes != before; }))
      continue;
    if (!waiting.empty())
      compile(lock, std::string(waiting.begin()->first));
  }
}

void Background::compile(std::unique_lock<std::mutex> &lock, const std::string &uri) {
  const std::shared_ptr<const Analysis> analysis = std::move(waiting.at(uri));
  waiting.erase(uri);
  current = uri;
  isDropped = false;
  lock.unlock();
  const Clock::time_point last = Clock::now() + budget;
  const auto isStopped = [&] {
    std::lock_guard inner(mutex);
    return isEnding || isDropped;
  };
  std::shared_ptr<const Reports> reports =
      reportsOf(*analysis->source, analysis->check, analysis->document.text, isStopped,
                [&] { return Clock::now() > last; });
  if (reports && !isStopped()) {
    analysis->names(); // evaluated here, so that no request waits for it
    analysis->setReports(std::move(reports));
    finished(uri);
  }
  lock.lock();
  current.clear();
}

} // namespace tegula::cli
