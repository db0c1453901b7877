// A launch on the interpreter that stops where it is told to, and goes back.
//
// The interpreter runs on a thread of its own, which waits while the session is stopped; the two never run at
// the same time. Programs are deterministic: to go back is to run again from a copy of memory, up to an
// earlier moment.
//
//     Session session(kernel, statements, launch);
//     session.settings.stopAtNotFinite = true;
//     const Stop &stop = session.resume();
#pragma once

#include "compiler/debug/Frames.h"
#include "compiler/debug/Position.h"
#include "compiler/debug/Scope.h"
#include "compiler/debug/StoreLog.h"

#include "compiler/interp/values/Memory.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tegula::debug {

struct Launch {
  const interp::Kernel *kernel = nullptr;
  mlir::func::FuncOp function; ///< of `kernel`, with names (`tile.bind`)
  interp::Grid grid{1, 1, 1};
  std::vector<uint64_t> arguments; ///< as `interp::Kernel::launch` takes them
  interp::Memory *memory = nullptr;
  std::vector<Array> arrays;
  std::function<void(std::string_view)> print; ///< takes what programs print, once; may be empty
};

/// The reason why the launch does not go on.
struct Stop {
  enum Kind : uint8_t {
    Start,       ///< nothing has run
    Statement,   ///< before a statement that a step led to
    Breakpoint,  ///< before the statement of a breakpoint
    Finding,     ///< behind an op that made a NaN, or whose result overflows or wraps
    Fault,       ///< the program cannot go on
    Written,     ///< behind the op that wrote an element that is watched
    Interrupted, ///< before an op, because the host asked
    Difference,  ///< behind an op that wrote an element that is not as expected
    End          ///< all programs have ended
  } kind = Start;
  std::string text;        ///< lower case, no full stop; empty for statements
  unsigned breakpoint = 0; ///< its number
  std::string element;     ///< "(3, 0)" of the tensor that a fault or finding is about, else empty
  std::optional<tile::SourcePlace> place; ///< of the op, where it is about one
};

struct Breakpoint {
  unsigned number = 0;
  std::string file;
  uint32_t line = 0; ///< a statement begins there
  /// Tells whether to stop; empty: always. What it reports as an error stops the program too.
  std::function<bool(std::string &error)> condition;
  std::string conditionText;
};

/// An element that is watched.
struct Watch {
  unsigned number = 0;
  Array array;
  uint64_t index = 0;
};

struct Settings {
  bool stopAtNotFinite = false, stopAtOverflow = false, stopAtWrap = false;
  std::optional<interp::Grid> program; ///< the only one to stop in, but for faults
  std::vector<Breakpoint> breakpoints;
  std::vector<Watch> watches;
};

class Session {
public:
  /// All that they refer to must outlive the session.
  Session(const Statements &statements, Launch launch);
  ~Session();
  Session(const Session &) = delete;

  Settings settings;
  /// Arrays as they should be, for expressions: `expected(out)`. Outlive the session.
  llvm::ArrayRef<Expected> expected;

  /// Runs to the next statement, into calls; past those of calls; until the call ends; to where something is
  /// to be stopped at.
  const Stop &stepIn();
  const Stop &next();
  const Stop &stepOut();
  const Stop &resume();
  /// The same backwards. Without an earlier moment of that kind the session is at the start.
  const Stop &stepBack();
  const Stop &nextBack();
  const Stop &resumeBack();

  /// Runs the launch to its end and compares arrays; stops at the earliest of the last writes of elements
  /// that are not as expected, in the only program to stop in where there is one. At the end, where all are
  /// or no such program writes those that are not; the text says so. From then on `resume` and `resumeBack`
  /// stop at these writes, too.
  /// `atEnd` is what else the text says then; `ifShared` follows where all are as expected, though an element
  /// that a program writes is read or written again by another one, or read again by the same.
  const Stop &findDifference(const std::vector<Expected> &expected, const std::string &atEnd = {},
                             const std::string &ifShared = {});
  /// Runs the launch to its end and compares what its programs write with another run of it, such as the
  /// emulator's; stops at the first store that differs, in the only program to stop in where there is one.
  /// `tolerances` are those of the launch's arrays. At the
  /// end, where none does or the other run alone has the store; the text says so.
  const Stop &findStoreDifference(const StoreLog &there, const std::vector<Tolerance> &tolerances);
  /// Goes back to the op that has written an element last: before now, or where nothing has run in the whole
  /// launch. Nothing where none has.
  const Stop *toLastWriter(const Array &array, uint64_t index);

  /// Stops the program that runs before its next op, or the next one that does; may be called from any thread
  /// and from a signal's handler. The second takes that back.
  void interrupt();
  void dropInterrupt();

  const Stop &stop() const;
  /// The calls, the kernel's own first; none at the start and the end.
  const std::vector<CallFrame> &calls() const;
  /// The number of the innermost call; 0 where none runs.
  size_t innermost() const { return calls().empty() ? 0 : calls().size() - 1; }
  /// The place in the grid, of the program that runs or ran last.
  interp::Grid program() const;
  const Array *array(llvm::StringRef name) const;
  /// Reads the launch's memory, as it is when it is called.
  ReadMemory memory() const;
  /// The names of call number `frame`, or no call's where there is none. Void once the program goes on.
  Scope scope(size_t frame) const;
  const Launch &launch() const;
  const Statements &statements() const;

private:
  class Runner;

  /// Says where the program of the moment `limit` makes a NaN first, before then, for a text about one that
  /// it stores.
  std::string firstNanText(const Position &limit);

  std::unique_ptr<Runner> runner;
};

} // namespace tegula::debug
