#include "tools/tegula/threads/ThreadBreakpoints.h"

#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/threads/ThreadScope.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;

Result<ThreadBreakpoint> breakpointAtPtx(const ThreadSubject &subject, uint32_t line) {
  const runtime::ptx::Inst *inst = subject.session.code().atOrAfter(line);
  if (!line || !inst)
    return usageError(fmt::format("no instruction is at or after line {} of the PTX", line));
  return ThreadBreakpoint{.number = 0, .ptxLine = inst->line, .file = {}, .statement = 0, .warp = {}};
}

Result<ThreadBreakpoint> breakpointAt(const ThreadSubject &subject, const std::string &file, uint32_t line) {
  const CodeLines &code = subject.session.code();
  const debug::Statements &statements = subject.statements;
  uint32_t at = statements.statementAt(file, line);
  const std::string function = statements.function(file, at);
  if (!at)
    at = line; // a source that cannot be read has lines alone
  while (at && !code.hasStatement(file, at)) {
    at = statements.nextStatement(file, at + 1);
    if (statements.function(file, at) != function)
      at = 0;
  }
  if (!at)
    return usageError(fmt::format(
        "no instruction comes from line {} of `{}`, or from those behind it in its function", line, file));
  return ThreadBreakpoint{.number = 0, .ptxLine = 0, .file = file, .statement = at, .warp = {}};
}

/// Takes "warp 2" off the end of `words`, if it is there. Errors: InvalidArgument where the block has no such
/// warp.
static Result<std::optional<uint32_t>> takeWarp(const ThreadSubject &subject, std::string &words) {
  const size_t at = (" " + words).rfind(" warp ");
  if (at == std::string::npos)
    return std::optional<uint32_t>();
  const std::string text(trim(std::string_view(words).substr(at + 5)));
  const Result<uint32_t> number = parseCount(text, "a warp");
  const uint32_t count = subject.session.warpsPerBlock();
  if (!number || *number >= count)
    return usageError(fmt::format("expected a warp below {}, found `{}`", count, text));
  words = std::string(trim(std::string_view(words).substr(0, at)));
  return std::optional(*number);
}

Result<void> addCondition(const ThreadSubject &subject, const std::string &condition,
                          ThreadBreakpoint &breakpoint) {
  if (condition.empty())
    return {};
  const Result<ThreadCondition> made = conditionOf(subject.session, condition);
  if (!made)
    return usageError(fmt::format("cannot read the condition `{}`: {}", condition, made.error().text));
  breakpoint.condition = *made;
  breakpoint.conditionText = condition;
  return {};
}

/// The breakpoint at a place, without what may stand behind it.
static Result<ThreadBreakpoint> placeNamed(const ThreadSubject &subject, const std::string &words) {
  std::string file = subject.file, line = words;
  if (words.starts_with("ptx ")) {
    const std::string_view text = trim(std::string_view(words).substr(4));
    const Result<uint32_t> number = parseCount(text, "a line");
    if (!number)
      return usageError(fmt::format("expected a line of the PTX, found `{}`", text));
    return breakpointAtPtx(subject, *number);
  }
  if (const size_t colon = words.rfind(':'); colon != std::string::npos) {
    file = words.substr(0, colon);
    line = words.substr(colon + 1);
    if (const std::string path = subject.statements.pathOf(file); !path.empty())
      file = path;
  }
  const Result<uint32_t> number = parseCount(line, "a line");
  const uint32_t at = number ? *number : subject.statements.functionLine(file, line);
  if (!at)
    return usageError(fmt::format(
        "expected a line, FILE:LINE, the name of a function of `{}` or `ptx LINE`, found `{}`", file, words));
  return breakpointAt(subject, file, at);
}

Result<ThreadBreakpoint> breakpointNamed(const ThreadSubject &subject, const std::string &given) {
  std::string words = given;
  const std::optional<std::string> condition = takeBehind(words, "if"), hits = takeBehind(words, "hits");
  const std::optional<uint32_t> warp = TRY(takeWarp(subject, words));
  ThreadBreakpoint made = TRY(placeNamed(subject, words));
  made.warp = warp;
  // An empty condition is none that can be read.
  TRY(addCondition(subject, condition && condition->empty() ? " " : condition.value_or(""), made));
  if (hits)
    made.hits = TRY(parseHitCondition(*hits));
  return made;
}

std::string breakpointText(const ThreadSubject &subject, const ThreadBreakpoint &one) {
  const std::string when = (one.warp ? fmt::format(", warp {}", *one.warp) : "") +
                           (one.hits ? fmt::format(", hits {}", one.hits->text) : "") +
                           (one.conditionText.empty() ? "" : " if " + one.conditionText);
  if (one.ptxLine)
    return fmt::format("breakpoint {}: PTX line {}{}\n{:>5}  {}\n", one.number, one.ptxLine, when,
                       one.ptxLine, subject.session.code().text(one.ptxLine));
  return fmt::format("breakpoint {}: {}:{}{}\n{:>5}  {}\n", one.number, one.file, one.statement, when,
                     one.statement, subject.statements.text(one.file, one.statement));
}

} // namespace tegula::cli
