// The commands of `tegula debug`, a line each.
#pragma once

#include "compiler/debug/Expression.h"
#include "tools/tegula/debug/DebugLaunch.h"

#include <string>
#include <string_view>

namespace tegula::cli {

/// A session that lines of text command. Nothing that a line says ends it but `quit`.
class Terminal {
public:
  explicit Terminal(DebugSubject &subject) : subject(subject), session(subject.session) {}

  /// Carries out a line, and returns what is to be shown. An empty line repeats the last one that moved on.
  std::string command(std::string_view line);
  bool isDone() const { return done; }

  /// The texts of `help`.
  static std::string help();

private:
  struct Row;
  static const std::vector<Row> &rows();
  std::string stopped();
  std::string error(const std::string &text) const { return "error: " + text + "\n"; }

  std::string go(const std::string &how);
  std::string addBreakpoint(const std::string &arguments);
  std::string addWatch(const std::string &arguments);
  std::string remove(const std::string &arguments);
  std::string breakpoints() const;
  std::string print(const std::string &arguments);
  std::string locals();
  std::string list(const std::string &arguments);
  std::string selectFrame(const std::string &arguments);
  std::string lastWriter(const std::string &arguments);
  std::string chooseProgram(const std::string &arguments);
  std::string chooseStops(const std::string &arguments);
  std::string arrays();
  /// The file and line that "12", "file.py:12" or the name of a function mean; nothing, with `wrong` set, for
  /// others.
  std::optional<std::pair<std::string, uint32_t>> placeOf(const std::string &text, std::string &wrong) const;
  std::string currentFile() const;

  DebugSubject &subject;
  debug::Session &session;
  size_t frame = 0; ///< the selected call
  unsigned nextNumber = 1;
  std::string last;
  bool done = false;
};

} // namespace tegula::cli
