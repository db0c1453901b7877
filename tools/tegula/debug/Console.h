// Commands, a line each: what debuggers in a terminal have in common.
#pragma once

#include "tools/tegula/arguments/Values.h"

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tegula::cli {

/// A debugger that lines of text command. Nothing that a line says ends it but `quit`.
class Console {
public:
  virtual ~Console() = default;
  Console(const Console &) = delete;

  /// Carries out a line, and returns what is to be shown. An empty line repeats the last one that moved on.
  std::string command(std::string_view line);
  bool isDone() const { return done; }
  /// Stops what runs. May be called from a signal's handler.
  virtual void interrupt() = 0;
  /// The text of `help`.
  std::string help() const;

protected:
  /// A command with its names, the first of which `help` shows.
  struct Command {
    std::vector<std::string> names;
    std::string arguments, meaning;
    std::function<std::string(const std::string &arguments)> work;
  };
  /// `notes` end the text of `help`.
  explicit Console(std::string notes) : notes(std::move(notes)) {}
  static std::string error(const std::string &text) { return "error: " + text + "\n"; }
  /// Adds a command that the method `work` of `self` carries out, which takes the arguments or nothing.
  template <typename Self, typename Work>
  void addCommand(Self *self, std::vector<std::string> names, const char *arguments, const char *meaning,
                  Work work) {
    commands.push_back({std::move(names), arguments, meaning, [self, work](const std::string &given) {
                          if constexpr (std::is_invocable_v<Work, Self *, const std::string &>)
                            return std::invoke(work, self, given);
                          else
                            return std::invoke(work, self);
                        }});
  }
  /// Adds a command that moves on, once or several times, and that an empty line repeats. Of several moves
  /// the last is shown.
  void addMove(std::vector<std::string> names, const char *meaning, std::function<std::string()> move);
  /// Adds `help` and `quit`, the last ones.
  void addEnd();
  /// Adds `delete`, which removes the breakpoint or watch whose number its arguments say, or all of
  /// `settings` where they are empty.
  template <typename Settings> void addDelete(Settings &settings) {
    commands.push_back(
        {{"delete"}, "[N]", "remove a breakpoint or watch, or all", [&settings](const std::string &given) {
           if (given.empty()) {
             settings.breakpoints.clear();
             settings.watches.clear();
             return std::string("removed all breakpoints and watches\n");
           }
           const runtime::Result<uint32_t> number = parseCount(given, "a breakpoint");
           const auto isIt = [&](const auto &one) { return number && one.number == *number; };
           const size_t removed =
               std::erase_if(settings.breakpoints, isIt) + std::erase_if(settings.watches, isIt);
           return removed ? std::string() : error("no breakpoint `" + given + "`");
         }});
  }

  std::vector<Command> commands;
  bool done = false;

private:
  std::string notes;
  std::string last; ///< the command that an empty line repeats
};

} // namespace tegula::cli
