// The interpreter's thread, and what it does at each op.
#pragma once

#include "compiler/debug/Checks.h"
#include "compiler/debug/Session.h"
#include "compiler/debug/StoreLog.h"
#include "compiler/interp/machine/RunThread.h"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>

namespace tegula::debug {

/// The aim of a run.
struct Goal {
  enum Kind : uint8_t {
    Step,
    Next,
    Out,      ///< a statement, where `depth` calls were around it
    Continue, ///< breakpoints, findings, watched elements
    Reach,    ///< `target`
    Scan      ///< no stop: `seen` is told of moments before `target`
  } kind = Continue;
  size_t depth = 0;
  Position target;
  /// Told of each statement with its calls, each stop of Continue, and each write; of what is stored or what
  /// memory is combined with.
  std::function<void(const Position &, size_t depth)> statement = {};
  std::function<void(const Position &, const Stop &)> stop = {};
  std::function<void(const Position &, uint64_t address, unsigned bytes)> write = {};
  std::function<void(const Position &, StoreKind, uint64_t address, unsigned bytes, const uint8_t *operand)>
      store = {};
  /// Told of each element that a program reads or writes, other than atomically.
  std::function<void(uint64_t address, bool isWrite)> use = {};
};

/// The first element that an op writes last and that is not as expected when the launch is done.
struct WrongElement {
  const Array *array = nullptr; ///< of the launch
  uint64_t element = 0;
  Number expected;
  std::shared_ptr<const std::string> all; ///< of the array's elements how many differ, and by how much
};

class Session::Runner final : public interp::Observer {
public:
  Runner(const Settings &settings, const Statements &statements, Launch launch);
  ~Runner() override { thread.cancel(); }

  /// Runs from where the launch stands to where `goal` stops it, or to its end. Returns `stopped`.
  const Stop &run(Goal goal);
  /// Makes the launch stand at the start of `program`, or before.
  void rewind(uint64_t program);
  /// Goes to a moment, from wherever the launch stands.
  void reach(const Position &target);
  /// Goes to the last statement before, with at most `depth` calls around it; to the start where there is
  /// none. Returns `stopped`.
  const Stop &goBack(size_t depth);
  /// Runs again, from the start of `program` or before, up to `limit`, without a stop.
  void scan(uint64_t program, const Position &limit, Goal goal);

  /// The first moment of `differences`, in the only program to stop in where there is one.
  std::optional<Position> firstDifference() const;
  /// The stop at a moment of `differences`, where the launch stands there.
  Stop differenceAt(const Position &at) const;
  ReadMemory memory() const;
  /// The number of the only program to stop in.
  std::optional<uint64_t> chosenProgram() const;

  const Settings &settings;
  const Statements &statements;
  Launch launch;
  OpTable ops;
  Frames frames;
  Stop stopped;
  Position position; ///< where the launch is stopped
  interp::Grid program{};
  bool isFinished = false;
  std::vector<Position> trace; ///< of the program, the statements so far, or the last of them
  bool isTraceCut = false;     ///< there were more
  std::map<Position, WrongElement> differences; ///< behind the ops that write them, once they are looked for
  std::atomic<bool> interrupt = false;

  // interp::Observer
  bool begin(uint64_t index, const interp::Grid &at) override;
  bool before(const interp::Moment &moment) override;
  bool after(const interp::Moment &moment) override;
  void wrote(const uint8_t *data, unsigned bytes) override;

private:
  struct Copy {
    uint64_t program = 0;
    interp::Memory::Snapshot memory;
  };

  bool isChosen() const { return !settings.program || *settings.program == program; }
  bool statementBegins(size_t depth);
  /// The breakpoint that stops the statement, if one does.
  std::optional<Stop> breakpointAt(const Level &at) const;
  bool found(Stop stop);
  /// Tells the goal of the operands of an op that combines memory with them; nothing of others. What memory
  /// becomes depends on the order of programs, what it is combined with does not.
  void tellOperands(const interp::Moment &moment);
  bool pause(Stop stop);
  void finish(std::optional<interp::Fault> fault);
  void start();
  void keepCopy(uint64_t program);
  void print(std::string_view text);

  Goal goal;
  uint64_t firstProgram = 0;
  Copy initial, latest;
  std::chrono::steady_clock::duration copying{};
  std::chrono::steady_clock::time_point copied;
  Position now;                     ///< while the launch runs
  Position printed;                 ///< the last op that printed, in any run
  uint64_t printedBy = 0, runs = 0; ///< the run that did; how many there were
  const OpFacts *facts = nullptr;
  bool isAtomicOp = false;           ///< the op that runs changes memory atomically
  StoreKind kind = StoreKind::Store; ///< of the op that runs, where the goal wants to know
  std::optional<Stop> written;
  interp::RunThread thread; ///< the last member: it uses the others
};

} // namespace tegula::debug
