// Messages about a kernel while it is evaluated: at the right place, with the chain of calls that led
// there, each only once.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/frontend/values/ParsedProgram.h"
#include "compiler/frontend/values/Value.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tegula::eval {

/// A function under evaluation, and the call that asked for it.
struct Activation {
  const Unit *unit;
  /// "`f` is called here": the note at `callRange`; empty for the kernel itself.
  std::string note;
  SourceRange callRange; ///< in the file of `parent`
  const Activation *parent = nullptr;
};

class Reporter {
public:
  Reporter(DiagnosticEngine &engine, mlir::MLIRContext *context) : engine(engine), context(context) {}

  /// Reports at `range` of the current unit, or at the user's call of the library that is running.
  Diagnostic &error(SourceRange range, std::string message);
  /// Reports an error, and returns Poison in the place of a value.
  Value refuse(SourceRange range, std::string message) {
    error(range, std::move(message));
    return Poison();
  }
  Diagnostic &report(Severity severity, SourceRange range, std::string message);
  /// An error whose cause, an object of this compilation or a name in the text, is reported only once however
  /// often it shows.
  Diagnostic &errorOnce(const void *cause, SourceRange range, std::string message);
  /// The errors that the parse of a file has found, for which `cause` stands.
  void relay(const void *cause, const std::vector<Diagnostic> &errors);
  /// An error after which nothing more is worth finding: a limit has been reached.
  Diagnostic &fatal(SourceRange range, std::string message);
  bool stopped() const { return isStopped; }

  /// Adds to `diagnostic` where `value` was made, unless that is the line it is about.
  void addOrigin(Diagnostic &diagnostic, mlir::Value value, std::string message);
  void addOrigin(Diagnostic &diagnostic, mlir::Location place, std::string message);
  void addNote(Diagnostic &diagnostic, const Unit &unit, SourceRange range, std::string message);

  /// Adds an edit of the current unit that mends `diagnostic`, which was just reported there. Nothing is
  /// added where the message is about another text: the call of a library's function.
  void addFix(Diagnostic &diagnostic, std::string title, const std::vector<Change> &changes,
              Certainty certainty = Certainty::Likely);
  /// The same where `range` becomes `text`.
  void addFix(Diagnostic &diagnostic, SourceRange range, std::string text,
              Certainty certainty = Certainty::Likely);

  /// The place of `range` in the IR: in an inlined function, a chain of call sites.
  mlir::Location locate(SourceRange range);

  const Activation *current() const { return active; }
  /// The text of the current unit.
  const SourceFile &source() const { return active->unit->source(); }

  /// The operands of the operator that is being carried out, in the current unit; of a builtin none.
  std::optional<std::pair<SourceRange, SourceRange>> operands;

  /// Makes `activation` the current one while it lives.
  class Scope {
  public:
    Scope(Reporter &reporter, const Activation &activation) : reporter(reporter), previous(reporter.active) {
      reporter.active = &activation;
    }
    ~Scope() { reporter.active = previous; }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Reporter &reporter;
    const Activation *previous;
  };

  /// While it lives nothing is reported: for questions whose answer may be that there is none.
  class Quiet {
  public:
    explicit Quiet(Reporter &reporter) : reporter(reporter) { ++reporter.quiet; }
    ~Quiet() { --reporter.quiet; }
    Quiet(const Quiet &) = delete;
    Quiet &operator=(const Quiet &) = delete;

  private:
    Reporter &reporter;
  };
  bool isQuiet() const { return quiet != 0; }

private:
  mlir::Location locate(const Activation *activation, SourceRange range);

  DiagnosticEngine &engine;
  mlir::MLIRContext *context;
  const Activation *active = nullptr;
  bool isStopped = false;
  unsigned quiet = 0;
  llvm::DenseSet<size_t> seen;         ///< hashes of what has been reported
  llvm::DenseSet<const void *> causes; ///< of `errorOnce`
  Diagnostic dropped;
};

/// The candidate that `name` is most likely a misspelling of, or empty.
class NearestName {
public:
  explicit NearestName(std::string_view name) : wanted(name) {}
  /// Offers `known`, names or what has one each.
  NearestName(std::string_view name, const auto &known) : wanted(name) {
    for (const auto &one : known)
      if constexpr (std::is_convertible_v<decltype(one), std::string_view>)
        offer(one);
      else
        offer(one.name);
  }
  void offer(std::string_view candidate);
  /// Sets "did you mean `x`?" as the help of `diagnostic`, if there is one.
  void suggest(Diagnostic &diagnostic) const;
  /// The same with the edit of `range`, where the name stands. The edit is certain where one letter differs
  /// and no other name is as near.
  void suggest(Diagnostic &diagnostic, Reporter &reporter, SourceRange range) const;

private:
  std::string_view wanted;
  std::string found;
  unsigned distance = ~0u;
  bool isOnly = false; ///< no other candidate is as near
};

} // namespace tegula::eval
