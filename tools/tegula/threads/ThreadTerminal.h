// The commands of the thread level of `tegula debug`, a line each.
#pragma once

#include "tools/tegula/debug/Console.h"
#include "tools/tegula/threads/Registers.h"
#include "tools/tegula/threads/ThreadText.h"

#include <string>

namespace tegula::cli {

class ThreadTerminal final : public Console {
public:
  /// With `canLeave` there is a tile level to go back to.
  explicit ThreadTerminal(ThreadSubject &subject, bool canLeave = false);

  void interrupt() override { session.interrupt(); }
  /// True if the person is done with the thread level alone.
  bool hasLeft() const { return left; }

private:
  void addMoves();
  void addStops();
  void addViews();
  std::string stopped() const { return threadStopText(subject); }
  using Move = void (ThreadSession::*)();
  std::string go(Move move, bool isBack);
  static std::string noBlock() { return error("no block runs"); }
  /// Adds a command that shows memory of a space, which its name says.
  void addMemory(const char *space, const char *meaning);

  std::string addBreakpoint(const std::string &arguments);
  std::string addWatch(const std::string &arguments);
  std::string lastWriter(const std::string &arguments);
  std::string breakpoints() const;
  std::string chooseProgram(const std::string &arguments);
  std::string chooseWarp(const std::string &arguments);
  std::string chooseLane(const std::string &arguments);
  std::string registers(const std::string &arguments) const;
  /// The names of the source that registers hold.
  std::string values() const;
  /// Those that the instructions write at which a name of the source is made.
  std::string registersOfName(const std::string &name) const;
  /// A register of the lane in focus; `held` are the session's held elements.
  std::string lineOf(const RegisterValue &value, const std::map<std::string, std::string> &held) const;
  std::string print(const std::string &arguments) const;
  std::string arrays() const;
  std::string warps() const;
  std::string frames() const;
  std::string ptx(const std::string &arguments) const;
  std::string list(const std::string &arguments) const;

  ThreadSubject &subject;
  ThreadSession &session;
  unsigned nextNumber = 1;
  bool left = false;
};

} // namespace tegula::cli
