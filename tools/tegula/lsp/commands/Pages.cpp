#include "tools/tegula/lsp/commands/Pages.h"

#include "tools/tegula/command/OwnProcess.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

Pages::~Pages() {
  {
    std::lock_guard lock(mutex);
    isEnding = true;
  }
  changed.notify_all();
}

void Pages::order(PageOrder page) {
  std::lock_guard lock(mutex);
  orders.push_back(std::move(page));
  if (!thread.joinable())
    thread = std::jthread([this] { run(); });
  changed.notify_all();
}

void Pages::run() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return isEnding || !orders.empty(); });
    if (isEnding)
      return;
    const PageOrder order = std::move(orders.front());
    orders.pop_front();
    lock.unlock();
    const Result<std::string> page = make(order);
    if (!isEnding)
      order.made(page);
    lock.lock();
  }
}

Result<std::string> Pages::make(const PageOrder &order) {
  if (!folder)
    folder = std::make_unique<const runtime::TemporaryFolder>();
  TRY(folder->made());
  // Large launches take their time on the emulator, which counts them; a person does not wait for more.
  constexpr int64_t mostSeconds = 120;
  const std::string path = folder->pathOf((order.name + ".html").c_str());
  std::vector<std::string> words = order.words;
  words.push_back("--html=" + path);
  const Finished finished = TRY(runSelf(words, order.text, mostSeconds, [this] { return isEnding.load(); }));
  if (finished.status != Done)
    return Error{ErrorKind::Compile, finished.err};
  return path;
}

} // namespace tegula::cli
