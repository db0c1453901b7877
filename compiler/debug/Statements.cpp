#include "compiler/debug/Statements.h"

#include "compiler/frontend/syntax/ast/Bindings.h"
#include "compiler/frontend/syntax/parse/Parser.h"

namespace tegula::debug {

namespace {

/// Fills in the lines of one file.
class Walk {
public:
  Walk(const SourceFile &source, std::vector<Statements::Line> &lines, std::vector<std::string> &functions)
      : source(source), lines(lines), functions(functions) {}

  void block(ast::Block body) {
    for (const ast::Stmt *stmt : body)
      statement(*stmt);
  }

private:
  uint32_t lineAt(uint32_t offset) const { return source.line(offset); }

  void mark(uint32_t first, uint32_t last) {
    for (uint32_t line = first; function && line <= last; ++line) {
      if (line >= lines.size())
        lines.resize(size_t(line) + 1);
      lines[line] = {first, function};
    }
  }
  /// The lines from `begin` to the last before `body`; at least that of `begin`.
  void head(uint32_t begin, ast::Block body) {
    const uint32_t first = lineAt(begin), inner = body.empty() ? first : lineAt(body.front()->range.begin);
    mark(first, inner > first ? inner - 1 : first);
  }

  void statement(const ast::Stmt &stmt) {
    if (const auto *branch = ast::as<ast::IfStmt>(&stmt)) {
      for (const ast::IfBranch &one : branch->branches)
        head(&one == &branch->branches.front() ? stmt.range.begin : one.condition->range.begin, one.body);
    } else if (const auto *loop = ast::as<ast::ForStmt>(&stmt)) {
      head(stmt.range.begin, loop->body);
    } else if (const auto *loop = ast::as<ast::WhileStmt>(&stmt)) {
      head(stmt.range.begin, loop->body);
    } else if (const auto *made = ast::as<ast::FunctionStmt>(&stmt)) {
      const uint32_t outer = function;
      functions.emplace_back(made->name);
      function = uint32_t(functions.size() - 1);
      block(made->body);
      function = outer;
    } else if (const auto *type = ast::as<ast::ClassStmt>(&stmt)) {
      block(type->body);
    } else if (!ast::as<ast::TryStmt>(&stmt) && !ast::as<ast::WithStmt>(&stmt)) {
      mark(lineAt(stmt.range.begin), lineAt(stmt.range.end ? stmt.range.end - 1 : 0));
    }
    ast::forEachNested(&stmt, [&](ast::Block inner) { block(inner); });
  }

  const SourceFile &source;
  std::vector<Statements::Line> &lines;
  std::vector<std::string> &functions;
  uint32_t function = 0;
};

} // namespace

Statements::Statements(std::span<const std::shared_ptr<const SourceFile>> given)
    : files(given.begin(), given.end()) {
  for (const std::shared_ptr<const SourceFile> &file : files) {
    DiagnosticEngine unused;
    const std::unique_ptr<ast::Module> module = parseModule(file, unused);
    Walk(*file, lines[file->path()], functions).block(module->body);
  }
}

Statements::Line Statements::at(const std::string &file, uint32_t line) const {
  const auto found = lines.find(file);
  return found == lines.end() || line >= found->second.size() ? Line() : found->second[line];
}

uint32_t Statements::statementAt(const std::string &file, uint32_t line) const {
  const uint32_t first = firstLine(file, line);
  return first ? first : nextStatement(file, line);
}

uint32_t Statements::nextStatement(const std::string &file, uint32_t line) const {
  const auto found = lines.find(file);
  for (uint32_t at = line; found != lines.end() && at < found->second.size(); ++at)
    if (found->second[at].statement == at && at)
      return at;
  return 0;
}

uint32_t Statements::functionLine(const std::string &file, std::string_view name) const {
  const auto found = lines.find(file);
  if (found == lines.end())
    return 0;
  for (size_t at = 1; at < found->second.size(); ++at)
    if (const Line &line = found->second[at]; line.statement && functions[line.function] == name)
      return uint32_t(at);
  return 0;
}

std::string Statements::pathOf(const std::string &name) const {
  for (const auto &file : files)
    if (file->path() == name)
      return name;
  for (const auto &file : files)
    if (file->path().ends_with("/" + name) || name.ends_with("/" + file->path()))
      return file->path();
  return "";
}

std::string_view Statements::text(const std::string &file, uint32_t line) const {
  for (const auto &one : files)
    if (one->path() == file && one->holds(line))
      return one->lineText(line);
  return {};
}

uint32_t Statements::lineCount(const std::string &file) const {
  uint32_t count = 0;
  for (const auto &one : files)
    if (one->path() == file)
      count = std::max(count, one->line(uint32_t(one->text().size())));
  return count;
}

} // namespace tegula::debug
