#include "tools/tegula/lsp/Worker.h"

#include <algorithm>

namespace tegula::cli {

Worker::Worker(CheckOptions options, Finished finished)
    : options(std::move(options)), finished(std::move(finished)), thread([this] { run(); }) {}

Worker::~Worker() {
  {
    std::lock_guard lock(mutex);
    isEnding = true;
  }
  changed.notify_all();
}

void Worker::change(OpenDocument document) {
  {
    std::lock_guard lock(mutex);
    Held &held = documents[document.uri];
    // Versions only grow; one that comes late is old news.
    if (held.document.text && document.version < held.document.version)
      return;
    held.document = std::move(document);
    held.isDirty = true;
  }
  changed.notify_all();
}

void Worker::close(const std::string &uri) {
  std::lock_guard lock(mutex);
  documents.erase(uri);
}

void Worker::ask(std::string id, std::string uri, Request request) {
  {
    std::lock_guard lock(mutex);
    asked.push_back({std::move(id), std::move(uri), std::move(request)});
  }
  changed.notify_all();
}

void Worker::cancel(const std::string &id) {
  std::lock_guard lock(mutex);
  for (Asked &one : asked)
    if (one.id == id)
      one.isCancelled = true;
}

void Worker::run() {
  std::unique_lock lock(mutex);
  while (!isEnding) {
    if (step(lock))
      continue;
    changed.wait(lock, [&] {
      return isEnding || !asked.empty() ||
             std::any_of(documents.begin(), documents.end(),
                         [](const auto &one) { return one.second.isDirty; });
    });
  }
}

bool Worker::step(std::unique_lock<std::mutex> &lock) {
  if (!asked.empty()) {
    answer(lock);
    return true;
  }
  for (const auto &[uri, held] : documents)
    if (held.isDirty) {
      analyseNewest(lock, std::string(uri));
      return true;
    }
  return false;
}

void Worker::analyseNewest(std::unique_lock<std::mutex> &lock, const std::string &uri) {
  Held &held = documents[uri];
  const OpenDocument document = held.document;
  const std::shared_ptr<const Analysis> before = held.analysis;
  held.isDirty = false;
  lock.unlock();
  CheckOptions stoppable = options;
  auto isOvertaken = [&] {
    std::lock_guard inner(mutex);
    const auto now = documents.find(uri);
    return isEnding || now == documents.end() || now->second.isDirty;
  };
  stoppable.isStopped = isOvertaken;
  std::shared_ptr<const Analysis> analysis = analyse(document, before, stoppable);
  lock.lock();
  const auto now = documents.find(uri);
  if (now == documents.end())
    return;
  const bool isNewest = !now->second.isDirty;
  now->second.analysis = analysis;
  if (!isNewest)
    return;
  lock.unlock();
  finished(analysis);
  lock.lock();
}

std::shared_ptr<const Analysis> Worker::newest(std::unique_lock<std::mutex> &lock, const std::string &uri) {
  const auto found = documents.find(uri);
  if (found == documents.end())
    return nullptr;
  if (found->second.isDirty || !found->second.analysis)
    analyseNewest(lock, uri);
  const auto now = documents.find(uri);
  return now == documents.end() ? nullptr : now->second.analysis;
}

void Worker::answer(std::unique_lock<std::mutex> &lock) {
  Asked one = std::move(asked.front());
  asked.pop_front();
  const std::shared_ptr<const Analysis> analysis = one.isCancelled ? nullptr : newest(lock, one.uri);
  lock.unlock();
  one.request(analysis.get(), one.isCancelled);
  lock.lock();
}

} // namespace tegula::cli
