#include "tools/tegula/threads/ThreadBreakpoints.h"

#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/threads/ThreadScope.h"

#include <fmt/format.h>

namespace tegula::cli {

std::optional<ThreadBreakpoint> breakpointAtPtx(const ThreadSubject &subject, uint32_t line,
                                                std::string &error) {
  const runtime::ptx::Inst *inst = subject.session.code().atOrAfter(line);
  if (!line || !inst) {
    error = fmt::format("no instruction is at or after line {} of the PTX", line);
    return std::nullopt;
  }
  return ThreadBreakpoint{.number = 0, .ptxLine = inst->line, .file = {}, .statement = 0, .warp = {}};
}

std::optional<ThreadBreakpoint> breakpointAt(const ThreadSubject &subject, const std::string &file,
                                             uint32_t line, std::string &error) {
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
  if (!at) {
    error = fmt::format("no instruction comes from line {} of `{}`, or from those behind it in its function",
                        line, file);
    return std::nullopt;
  }
  return ThreadBreakpoint{.number = 0, .ptxLine = 0, .file = file, .statement = at, .warp = {}};
}

/// Takes "warp 2" off the end of `words`. False, with `error` set, where the block has no such warp.
static bool takeWarp(const ThreadSubject &subject, std::string &words, std::optional<uint32_t> &warp,
                     std::string &error) {
  const size_t at = (" " + words).rfind(" warp ");
  if (at == std::string::npos)
    return true;
  const std::string text(trim(std::string_view(words).substr(at + 5)));
  const runtime::Result<uint32_t> number = parseCount(text, "a warp");
  const uint32_t count = subject.session.warpsPerBlock();
  if (!number || *number >= count) {
    error = fmt::format("expected a warp below {}, found `{}`", count, text);
    return false;
  }
  warp = *number;
  words = std::string(trim(std::string_view(words).substr(0, at)));
  return true;
}

bool addConditions(const ThreadSubject &subject, const std::string &condition, const std::string &hits,
                   ThreadBreakpoint &breakpoint, std::string &error) {
  if (!condition.empty()) {
    const std::optional<ThreadCondition> made = conditionOf(subject.session, condition, error);
    if (!made) {
      error = fmt::format("cannot read the condition `{}`: {}", condition, error);
      return false;
    }
    breakpoint.condition = *made;
    breakpoint.conditionText = condition;
  }
  if (!hits.empty()) {
    const runtime::Result<HitCondition> made = parseHitCondition(hits);
    if (!made) {
      error = made.error().text;
      return false;
    }
    breakpoint.hits = *made;
  }
  return true;
}

std::optional<ThreadBreakpoint> breakpointNamed(const ThreadSubject &subject, const std::string &given,
                                                std::string &error) {
  std::string words = given;
  std::optional<uint32_t> warp;
  const std::optional<std::string> condition = takeBehind(words, "if"), hits = takeBehind(words, "hits");
  if (!takeWarp(subject, words, warp, error))
    return std::nullopt;
  std::optional<ThreadBreakpoint> made;
  std::string file = subject.file, line = words;
  if (words.starts_with("ptx ")) {
    const runtime::Result<uint32_t> number = parseCount(trim(std::string_view(words).substr(4)), "a line");
    if (!number) {
      error = fmt::format("expected a line of the PTX, found `{}`", trim(std::string_view(words).substr(4)));
      return std::nullopt;
    }
    made = breakpointAtPtx(subject, *number, error);
  } else {
    if (const size_t colon = words.rfind(':'); colon != std::string::npos) {
      file = words.substr(0, colon);
      line = words.substr(colon + 1);
      if (const std::string path = subject.statements.pathOf(file); !path.empty())
        file = path;
    }
    const runtime::Result<uint32_t> number = parseCount(line, "a line");
    const uint32_t at = number ? *number : subject.statements.functionLine(file, line);
    if (!at) {
      error =
          fmt::format("expected a line, FILE:LINE, the name of a function of `{}` or `ptx LINE`, found `{}`",
                      file, words);
      return std::nullopt;
    }
    made = breakpointAt(subject, file, at, error);
  }
  if (!made)
    return std::nullopt;
  made->warp = warp;
  // An empty condition is none that can be read.
  if (!addConditions(subject, condition && condition->empty() ? " " : condition.value_or(""),
                     hits && hits->empty() ? " " : hits.value_or(""), *made, error))
    return std::nullopt;
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
