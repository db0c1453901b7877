// Launches of other processes, from a file that TEGULA_RECORD has made: what a kernel is compiled for in
// earnest.
#pragma once

#include "compiler/driver/CompilationRecord.h"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace tegula::cli {

/// A file of recorded compilations, read again when it has changed. Thread safe.
class RecordedLaunches {
public:
  /// `path` names the file, which need not be there yet.
  explicit RecordedLaunches(std::string path) : path(std::move(path)) {}
  /// Reads another file from now on.
  void use(std::string file);
  /// Returns the name of the file; empty where there is none.
  std::string file();

  /// Returns what the last recorded launch of `kernel`, of the source file `source`, was compiled for.
  std::optional<KernelSpec> find(const std::string &source, const std::string &kernel);

  /// Returns why the file cannot be read; empty where it can, as far as its lines are whole.
  std::string problem();

private:
  struct Launch {
    std::string source;
    KernelSpec spec;
  };
  void refresh();
  void add(std::string_view line, std::map<std::string, std::string> &sources);

  std::mutex mutex; ///< guards what follows
  std::string path;
  std::filesystem::file_time_type time;
  uintmax_t size = 0;
  std::string wrong;
  std::multimap<std::string, Launch> launches; ///< by kernel, in the order of the file
};

} // namespace tegula::cli
