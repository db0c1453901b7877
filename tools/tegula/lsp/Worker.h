// Analyses documents in a thread of its own and answers requests about them: a newer version of a document
// ends the analysis of an older one, and requests go before analyses.
#pragma once

#include "tools/tegula/lsp/Analysis.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace tegula::cli {

class Worker {
public:
  /// Told of each analysis that was not overtaken by a newer version.
  using Finished = std::function<void(const std::shared_ptr<const Analysis> &)>;
  /// A request: called with the newest analysis of its document, or null where that is not open; cancelled
  /// ones with `isCancelled`.
  using Request = std::function<void(const Analysis *analysis, bool isCancelled)>;

  Worker(CheckOptions options, Finished finished);
  /// Ends the thread, without the work that is left.
  ~Worker();

  void change(OpenDocument document);
  void close(const std::string &uri);
  /// `id` is what the editor cancels it by.
  void ask(std::string id, std::string uri, Request request);
  void cancel(const std::string &id);

private:
  struct Asked {
    std::string id, uri;
    Request request;
    bool isCancelled = false;
  };
  struct Held {
    OpenDocument document;
    std::shared_ptr<const Analysis> analysis; ///< of the newest version that was analysed
    bool isDirty = true;
  };

  void run();
  /// Returns true if there was something to do.
  bool step(std::unique_lock<std::mutex> &lock);
  void answer(std::unique_lock<std::mutex> &lock);
  void analyseNewest(std::unique_lock<std::mutex> &lock, const std::string &uri);
  /// The analysis of the newest version, made now where it is not there.
  std::shared_ptr<const Analysis> newest(std::unique_lock<std::mutex> &lock, const std::string &uri);

  const CheckOptions options;
  const Finished finished;
  std::mutex mutex; ///< guards what follows
  std::condition_variable changed;
  std::map<std::string, Held> documents;
  std::deque<Asked> asked;
  bool isEnding = false;
  std::jthread thread;
};

} // namespace tegula::cli
