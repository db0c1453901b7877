// Messages about source code: what is wrong, where, and how they look in a terminal.
#pragma once

#include "compiler/frontend/syntax/text/Fix.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

enum class Severity : uint8_t { Error, Warning, Note, Remark };
std::string_view severityName(Severity severity);

/// A resource that a target has too little of.
struct ResourceUse {
  std::string name; ///< "shared memory"
  uint64_t required = 0, limit = 0;
};

/// The knowledge that makes an error one, beyond the text: where it is a guess, so is the error.
enum class Basis : uint8_t {
  Values, ///< types, shapes or values of what the kernel is compiled for
  Text,   ///< nothing else: it is there whatever the kernel is compiled for
  Name,   ///< nothing else, and it is a name that means nothing
  Process ///< what only a running Python knows; the kernel may be right
};

/// One message with its place. Self-contained: it outlives the source it is about.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string message;    ///< lower case, no full stop, code in backticks
  std::string file;       ///< empty when the message is about no file
  uint32_t line = 0;      ///< from 1; 0 when the message is about no line
  uint32_t column = 0;    ///< from 1, in code points
  uint32_t endColumn = 0; ///< one past the last marked column; at least `column + 1`
  std::string sourceLine; ///< text of `line`, for the caret; the front of it when it is very long
  std::vector<Diagnostic> notes;
  std::optional<std::string> help;     ///< how to mend it, when that is known
  std::vector<Fix> fixes;              ///< edits that do so, the most likely first
  std::optional<ResourceUse> resource; ///< of a kernel that the target has not enough for, as data
  Basis basis = Basis::Values;
  std::vector<std::string> guessed; ///< parameters whose guessed values it rests on
};

/// A diagnostic about `range` of `source`. A range that spans lines is marked to the end of its first.
Diagnostic makeDiagnostic(Severity severity, const SourceFile &source, SourceRange range,
                          std::string message);

/// Marks from the place of `diagnostic` up to `end`: to the end of its line where `end` is on a later one.
void markUpTo(Diagnostic &diagnostic, LineColumn end);

/// The lines a person reads, each ending in a newline:
///
///     kernel.py:3:9: error: name `blok` is not defined
///         x = blok + 1
///             ^~~~
///     help: did you mean `block`?
///
/// Notes follow in the same form. The caret stands under the right character also where the line
/// holds tabs (shown as spaces to the next multiple of 8) and wide or combining characters. Very long
/// lines are cut around the caret; control characters are shown as a blank.
std::string render(const Diagnostic &diagnostic);
std::string render(const std::vector<Diagnostic> &diagnostics);

/// The line, cut where it is long, and a caret under `column` (from 1), as `render` shows them: two lines,
/// each ending in a newline, or none where the line is blank.
std::string excerpt(std::string_view sourceLine, uint32_t column);

/// `code` between backticks, as messages show it.
inline std::string asCode(std::string_view code) { return "`" + std::string(code) + "`"; }

/// Collects diagnostics in the order they are found.
class DiagnosticEngine {
public:
  /// More errors than this are not kept: the first ones are those worth reading.
  static constexpr uint32_t maxErrors = 20;

  /// Keeps `diagnostic` and returns it, for notes and help to be added at once. The reference is
  /// valid until the next report.
  Diagnostic &report(Diagnostic diagnostic);
  /// Keeps an error of the text itself.
  Diagnostic &error(const SourceFile &source, SourceRange range, std::string message);
  /// Adds a note to a diagnostic that this engine has returned.
  void note(Diagnostic &to, const SourceFile &source, SourceRange range, std::string message);

  /// Adds a fix to a diagnostic that this engine has returned; nothing where that was not kept.
  static void fix(Diagnostic &to, const SourceFile &source, std::string title,
                  const std::vector<Change> &changes, Certainty certainty);

  bool hasErrors() const { return errors != 0; }
  const std::vector<Diagnostic> &diagnostics() const { return kept; }
  std::vector<Diagnostic> take();

private:
  std::vector<Diagnostic> kept;
  Diagnostic dropped; ///< where reports past the limit go
  uint32_t errors = 0;
};

} // namespace tegula
