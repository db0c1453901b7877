// The commands of `tegula debug`, a line each.
#pragma once

#include "compiler/debug/Expression.h"
#include "tools/tegula/debug/Console.h"
#include "tools/tegula/debug/DebugLaunch.h"

#include <string>
#include <string_view>

namespace tegula::cli {

/// A session of the tile level that lines of text command.
class Terminal final : public Console {
public:
  explicit Terminal(DebugSubject &subject);

  void interrupt() override { session.interrupt(); }
  /// Begins the thread level of the same launch at a line of a program, and talks there until that ends. True
  /// where the whole debugger is to end then. Errors: where the launch does not come so far.
  using OpenThreads = std::function<runtime::Result<bool>(const interp::Grid &program,
                                                          const std::string &file, uint32_t line)>;
  void setThreads(OpenThreads open) { openThreads = std::move(open); }

private:
  void addMoves();
  void addStops();
  void addViews();
  std::string stopped();
  std::string go(const std::function<void()> &move, bool isBack);
  std::string addBreakpoint(const std::string &arguments);
  std::string addWatch(const std::string &arguments);
  std::string breakpoints() const;
  std::string print(const std::string &arguments);
  std::string locals();
  std::string list(const std::string &arguments);
  std::string selectFrame(const std::string &arguments);
  std::string lastWriter(const std::string &arguments);
  std::string chooseProgram(const std::string &arguments);
  std::string chooseStops(const std::string &arguments);
  std::string threads();
  std::string arrays() const;
  std::string frames() const;
  std::string where() const;
  /// Says why there are no calls, and how to come to some.
  std::string noCalls() const;
  /// The file and line that "12", "file.py:12" or the name of a function mean. Errors: InvalidArgument.
  runtime::Result<std::pair<std::string, uint32_t>> placeOf(const std::string &text) const;
  std::string currentFile() const;

  DebugSubject &subject;
  debug::Session &session;
  size_t frame = 0; ///< the selected call
  unsigned nextNumber = 1;
  OpenThreads openThreads;
};

} // namespace tegula::cli
