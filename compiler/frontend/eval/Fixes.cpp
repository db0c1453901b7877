#include "compiler/frontend/eval/Fixes.h"

#include "compiler/frontend/eval/text/Bindings.h"

#include "llvm/ADT/StringRef.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// The byte that the line of `offset` begins with.
uint32_t lineStart(const SourceFile &source, uint32_t offset) {
  return source.lineBegin(source.line(offset));
}

/// Returns where an import belongs: before the first one that is not of `__future__`, else behind the
/// docstring.
uint32_t placeOfImport(const ast::Module &module) {
  for (const ast::Stmt *stmt : module.body) {
    const auto *import = ast::as<ast::ImportFromStmt>(stmt);
    const auto *expression = ast::as<ast::ExprStmt>(stmt);
    const bool isDocstring = expression && expression->value->kind == ast::ExprKind::String;
    if (isDocstring || (import && import->module == "__future__"))
      continue;
    uint32_t begin = stmt->range.begin;
    if (const auto *function = ast::as<ast::FunctionStmt>(stmt); function && !function->decorators.empty())
      begin = std::min(begin, function->decorators.front()->range.begin);
    return lineStart(*module.source, begin);
  }
  return uint32_t(module.source->text().size());
}

/// The change that imports the module that `word` begins with, where nothing binds its name.
std::vector<Change> importFor(const Unit &unit, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('.'));
  const std::string_view import = importOf(name);
  if (import.empty() || unit.source().isExcerpt() || binds(unit.module->body, name))
    return {};
  const uint32_t at = placeOfImport(*unit.module);
  return {{{at, at}, std::string(import) + "\n"}};
}

/// Returns true if nothing but `token` and blanks is in `range`.
bool isOnly(const SourceFile &source, SourceRange range, llvm::StringRef token) {
  return llvm::StringRef(source.slice(range)).trim() == token;
}

/// The part of `code` that stands in no brackets.
std::string outsideOfBrackets(std::string_view code) {
  std::string outside;
  int depth = 0;
  for (char c : code) {
    depth -= c == ')' || c == ']' || c == '}';
    if (depth == 0)
      outside += c;
    depth += c == '(' || c == '[' || c == '{';
  }
  return outside;
}

/// Returns true if `code` stands behind a `+` as it is.
bool isSummand(const std::string &code) {
  return code.find_first_of("<>=&|^\n:\"'#") == std::string::npos &&
         (" " + code + " ").find(" if ") == std::string::npos &&
         (" " + code + " ").find(" or ") == std::string::npos &&
         (" " + code + " ").find(" and ") == std::string::npos;
}

/// The changes that turn `pointer[index]` into `before pointer + index behind`.
std::vector<Change> asSum(const SourceFile &source, SourceRange pointer, SourceRange index, uint32_t end,
                          std::string_view before, std::string_view behind) {
  const std::string code = outsideOfBrackets(source.slice(index));
  if (code.find(',') != std::string::npos || !isOnly(source, {pointer.end, index.begin}, "["))
    return {};
  const bool isPlain = isSummand(code);
  return {{{pointer.begin, pointer.begin}, std::string(before)},
          {{pointer.end, index.begin}, isPlain ? " + " : " + ("},
          {{index.end, end}, (isPlain ? "" : ")") + std::string(behind)}};
}

} // namespace

void eval::addImportFix(Reporter &reporter, Diagnostic &diagnostic, std::string_view import) {
  const Unit &unit = *reporter.current()->unit;
  if (unit.source().isExcerpt())
    return; // the top of the file is not here
  const uint32_t at = placeOfImport(*unit.module);
  reporter.addFix(diagnostic, "add " + asCode(import), {{{at, at}, std::string(import) + "\n"}},
                  Certainty::Certain);
}

void eval::addSpellingFix(Reporter &reporter, Diagnostic &diagnostic, SourceRange range,
                          std::string_view theirs, const Spelling &spelling) {
  const std::optional<SourceRange> word = onlyWord(reporter.source(), range, theirs);
  if (spelling.inPlace.empty() || !word)
    return;
  std::vector<Change> changes = importFor(*reporter.current()->unit, spelling.inPlace);
  if (!changes.empty() && changes.front().range.begin > word->begin)
    return;
  changes.push_back({withQualifiers(reporter.source(), *word), spelling.inPlace});
  reporter.addFix(diagnostic, "write " + asCode(spelling.inPlace), changes, Certainty::Certain);
}

void eval::addMethodFix(Reporter &reporter, Diagnostic &diagnostic, SourceRange name,
                        const Spelling &spelling) {
  const SourceRange called{name.begin, name.end + 2};
  if (!spelling.inPlace.empty() && isOnly(reporter.source(), {name.end, called.end}, "()"))
    reporter.addFix(diagnostic, called, spelling.inPlace, Certainty::Certain);
}

void eval::addSuffixFix(Reporter &reporter, Diagnostic &diagnostic, SourceRange range,
                        std::string_view suffix, Certainty certainty) {
  const std::vector<Change> changes = suffixed(reporter.source(), range, suffix);
  const std::string code(reporter.source().slice(range));
  constexpr size_t longest = 40;
  // In front, where there is one, is a parenthesis.
  const std::string written = (changes.size() > 1 ? changes.front().text : "") + code + changes.back().text;
  reporter.addFix(diagnostic, code.size() < longest ? "write " + asCode(written) : "add " + asCode(suffix),
                  changes, certainty);
}

void eval::addLoadFix(Reporter &reporter, Diagnostic &diagnostic, SourceRange pointer, SourceRange index,
                      SourceRange whole) {
  const std::vector<Change> changes = asSum(reporter.source(), pointer, index, whole.end, "tl.load(", ")");
  if (!changes.empty())
    reporter.addFix(diagnostic, "read it by `tl.load`", changes, Certainty::Certain);
}

void eval::addStoreFix(Reporter &reporter, Diagnostic &diagnostic, const ast::SubscriptExpr &target,
                       SourceRange value) {
  const SourceFile &source = reporter.source();
  if (value.begin < target.range.end || !isOnly(source, {target.range.end, value.begin}, "="))
    return;
  std::vector<Change> changes =
      asSum(source, target.object->range, target.index->range, value.begin, "tl.store(", ", ");
  if (changes.empty())
    return;
  changes.push_back({{value.end, value.end}, ")"});
  reporter.addFix(diagnostic, "write it by `tl.store`", changes, Certainty::Certain);
}

void eval::addCallFix(Reporter &reporter, Diagnostic &diagnostic, std::string_view callee,
                      std::string_view op) {
  const SourceFile &source = reporter.source();
  if (!reporter.operands)
    return;
  const auto [left, right] = *reporter.operands;
  if (left.end > right.begin || !isOnly(source, {left.end, right.begin}, llvm::StringRef(op)))
    return; // parentheses, which no range has
  std::vector<Change> changes = importFor(*reporter.current()->unit, callee);
  changes.push_back({{left.begin, left.begin}, std::string(callee) + "("});
  changes.push_back({{left.end, right.begin}, ", "});
  changes.push_back({{right.end, right.end}, ")"});
  if (changes.front().range.begin <= left.begin)
    reporter.addFix(diagnostic, "write " + asCode(std::string(callee) + "(...)"), changes);
}

Fix eval::jitFix(const SourceFile &source, const ast::FunctionStmt &function, std::string_view decorator) {
  const uint32_t line = source.line(function.nameRange.begin), at = source.lineBegin(line);
  const std::string indent(indentOf(source.lineText(line)));
  return makeFix(source, "add " + asCode(decorator), {{{at, at}, indent + std::string(decorator) + "\n"}},
                 Certainty::Likely);
}

void eval::addDecoratorFix(Reporter &reporter, Diagnostic &diagnostic, const Unit &unit,
                           const ast::FunctionStmt &function, std::string_view decorator) {
  if (!reporter.isQuiet() && !unit.isLibrary)
    diagnostic.fixes.push_back(jitFix(unit.source(), function, decorator));
}

void eval::addArgumentFix(Reporter &reporter, Diagnostic &diagnostic, SourceRange range,
                          std::string_view argument) {
  const llvm::StringRef code = reporter.source().slice(range);
  if (!code.ends_with(")"))
    return;
  const llvm::StringRef before = code.drop_back().rtrim();
  const bool isFirst = before.ends_with("(") || before.ends_with(",");
  const uint32_t at = range.begin + uint32_t(before.size());
  reporter.addFix(diagnostic, "add " + asCode(argument),
                  {{{at, at}, (isFirst ? before.ends_with(",") ? " " : "" : ", ") + std::string(argument)}});
}
