// Keeps the fastest config of a kernel in a folder for later runs.
//
// A choice holds for one build of the compiler, source with all that it imports, kernel, list of configs,
// device and driver, for arguments of the same types and facts, and for the same values of those that
// `triton.autotune` names in `key`.
#pragma once

#include "runtime/cache/Levels.h"
#include "runtime/jit/tune/TuneRequest.h"

#include <optional>
#include <string>

namespace tegula::jit {

struct TunedChoice {
  size_t config = 0;       ///< its place among the request's
  double milliseconds = 0; ///< the median of a launch, when it was measured
};

/// All that a choice among `request.configs` depends on; empty where it cannot be said, as the program calls
/// the host. Errors: those of `request.arguments`, and InvalidArgument for one that the kernel cannot take.
runtime::Result<std::string> choiceKey(const TuneRequest &request);

class ChoiceStore {
public:
  /// Keeps nothing if `folder` is empty. The default is `cache::defaultFolder()`: asking for tuning is asking
  /// for its choice to be kept.
  explicit ChoiceStore(std::string folder = cache::defaultFolder()) : entries(std::move(folder)) {}

  std::optional<TunedChoice> find(const std::string &key);
  /// `title` is what `tegula cache list` shows. False where it could not be stored.
  bool keep(const std::string &key, const std::string &title, const TunedChoice &choice);
  const std::string &folder() const { return entries.path(); }

private:
  cache::Levels entries;
};

} // namespace tegula::jit
