// Compiles the kernels of documents in a thread of its own, once nothing is typed for a moment: a newer
// version of a document ends the compilation of an older one.
#pragma once

#include "tools/tegula/lsp/Analysis.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace tegula::cli {

class Background {
public:
  /// Told, in the thread, of each document whose analysis has got its reports.
  using Finished = std::function<void(const std::string &uri)>;
  explicit Background(Finished finished);
  /// Ends the thread.
  ~Background() { end(); }

  /// Compiles the kernels of `analysis` when nothing of its document comes for a moment.
  void take(std::shared_ptr<const Analysis> analysis);
  /// Gives up what is compiled or waits of a document: a newer version is there, or it is closed.
  void drop(const std::string &uri);
  /// Ends the thread; what is taken afterwards is not compiled.
  void end();

private:
  void run();
  void compile(std::unique_lock<std::mutex> &lock, const std::string &uri);

  const Finished finished;
  std::mutex mutex; ///< guards what follows
  std::condition_variable changed;
  std::map<std::string, std::shared_ptr<const Analysis>> waiting; ///< by URI
  uint64_t changes = 0;                                           ///< of `waiting`
  std::string current;                                            ///< URI of what is compiled
  bool isDropped = false, isEnding = false;
  std::jthread thread;
};

} // namespace tegula::cli
