// Work on things that do not touch each other, by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace tegula::jit {

/// Calls `body(i)` for each i below `count`, by this thread and at most `threads - 1` others; 0: as many as
/// the machine has. Returns when all are done.
template <typename Body> void forEachIndex(size_t count, unsigned threads, Body body) {
  const size_t wanted = threads ? threads : std::max(1u, std::thread::hardware_concurrency());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < count; i = next++)
      body(i);
  };
  std::vector<std::jthread> helpers;
  for (size_t i = 1; i < std::min(wanted, count); ++i)
    helpers.emplace_back(work);
  work();
}

} // namespace tegula::jit
