#include "tools/tegula/check/GuessSearch.h"

#include "compiler/driver/ParsedSource.h"
#include "runtime/jit/program/CompileError.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace tegula::cli {

using jit::isError;

static const Diagnostic *firstError(const std::vector<Diagnostic> &diagnostics) {
  const auto found = std::find_if(diagnostics.begin(), diagnostics.end(), isError);
  return found == diagnostics.end() ? nullptr : &*found;
}

std::string guessText(const Specialisation &specialisation, const std::vector<std::string> &parameters) {
  std::string text;
  for (size_t i = 0; i < parameters.size(); ++i)
    text += fmt::format("{}`{}`",
                        i == 0                       ? ""
                        : i + 1 == parameters.size() ? " and "
                                                     : ", ",
                        specialisationText(specialisation.spec, {parameters[i]}));
  return text;
}

CompileResult GuessSearch::compile(const KernelSpec &spec) const {
  CompileOptions compile;
  if (options.stage != Stage::Ptx)
    compile.emit = {options.stage};
  compile.remarks = options.remarks;
  return compiler.compile(source, spec, compile);
}

/// The names in a line of source.
static std::set<std::string> namesIn(std::string_view line) {
  std::set<std::string> names;
  for (size_t begin = 0; begin < line.size();) {
    auto isPart = [&](size_t at) {
      return at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_');
    };
    size_t end = begin;
    while (isPart(end))
      ++end;
    if (end > begin)
      names.emplace(line.substr(begin, end - begin));
    begin = std::max(end, begin + 1);
  }
  return names;
}

/// The lines of `file` from `line` on, until all brackets are closed.
static std::string linesFrom(const SourceFile &file, uint32_t line) {
  constexpr uint32_t mostLines = 32;
  std::string text;
  int open = 0;
  for (uint32_t i = 0; i < mostLines && file.holds(line + i); ++i) {
    const std::string_view one = file.lineText(line + i);
    for (char c : one)
      open += (c == '(' || c == '[') - (c == ')' || c == ']');
    text += std::string(one) + "\n";
    if (open <= 0)
      break;
  }
  return text;
}

std::vector<std::string> GuessSearch::involvedIn(const Diagnostic &error) const {
  const bool isHere = error.line && error.file == source.file().path();
  std::set<std::string> names = namesIn(isHere ? linesFrom(source.file(), error.line) : error.sourceLine);
  for (const Diagnostic &note : error.notes)
    names.merge(namesIn(note.sourceLine));
  const guess::Seen &seen = specialisation.guess.seen;
  guess::ParameterSet parts(specialisation.guess.names.size());
  for (const std::string &name : names)
    if (const auto found = seen.names.find(name); found != seen.names.end())
      parts |= found->second;
  // Too much of a resource is a matter of sizes, wherever it shows.
  const bool isOfWhole = error.line == 0 || error.resource;
  std::vector<std::string> involved;
  for (unsigned i = 0; i < specialisation.guess.names.size(); ++i)
    if ((parts.test(i) || isOfWhole) && specialisation.isGuessed(specialisation.guess.names[i]))
      involved.push_back(specialisation.guess.names[i]);
  return involved;
}

std::vector<GuessSearch::Move> GuessSearch::movesFor(const Diagnostic &error) const {
  const std::map<std::string, guess::Guess> &guesses = specialisation.guess.parameters;
  std::vector<Move> moves;
  // All arrays of floats are likely of one type.
  for (ScalarKind kind : {ScalarKind::Float16, ScalarKind::Float32, ScalarKind::BFloat16}) {
    Move move;
    for (const auto &[name, guess] : guesses)
      if (guess.isFloatPointer && specialisation.isGuessed(name))
        move.emplace_back(name,
                          guess::Choice{RuntimeArg{kind, 1, {.divisibility = 16, .nonNegative = false}}});
    if (move.size() > 1)
      moves.push_back(std::move(move));
  }
  const std::vector<std::string> involved = involvedIn(error);
  size_t most = 0;
  for (const std::string &name : involved)
    most = std::max(most, guesses.at(name).others.size());
  for (size_t rank = 0; rank < most; ++rank)
    for (const std::string &name : involved)
      if (const guess::Guess &guess = guesses.at(name); rank < guess.others.size())
        moves.push_back({{name, guess.others[rank]}});
  return moves;
}

bool GuessSearch::improve() {
  const Diagnostic first = *firstError(best.diagnostics);
  const auto count = std::count_if(best.diagnostics.begin(), best.diagnostics.end(), isError);
  for (const Move &move : movesFor(first)) {
    if (attempts >= options.attempts || isStopped())
      return false;
    KernelSpec spec = specialisation.spec;
    for (const auto &[name, choice] : move) {
      spec.args.insert_or_assign(name, choice.value);
      for (const auto &[part, value] : choice.parts)
        spec.args.insert_or_assign(part, value);
    }
    if (spec == specialisation.spec)
      continue;
    CompileResult result = compile(spec);
    ++attempts;
    const Diagnostic *error = firstError(result.diagnostics);
    const auto left = std::count_if(result.diagnostics.begin(), result.diagnostics.end(), isError);
    const bool isLater = error && error->file == first.file && error->line > first.line;
    if (error && left >= count && !isLater)
      continue;
    specialisation.spec = std::move(spec);
    best = std::move(result);
    return true;
  }
  return false;
}

void GuessSearch::run() {
  best = compile(specialisation.spec);
  if (!firstError(best.diagnostics) || !specialisation.hasGuesses())
    return;
  ++attempts;
  while (firstError(best.diagnostics) && improve())
    ;
}

std::vector<std::string> GuessSearch::restsOn(const Diagnostic &error) const {
  return error.basis == Basis::Values ? involvedIn(error) : std::vector<std::string>();
}

} // namespace tegula::cli
