#include "tools/tegula/lsp/Messages.h"

#include "tools/tegula/check/SpecComment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tegula::cli {

namespace json = llvm::json;

static int severityOf(Severity severity) {
  enum { ErrorLevel = 1, WarningLevel = 2, HintLevel = 4 };
  return severity == Severity::Error ? ErrorLevel : severity == Severity::Warning ? WarningLevel : HintLevel;
}

/// The place of a diagnostic in the document: its own, or that of the first of its notes that is there.
static EditorRange placeIn(const Analysis &analysis, const Diagnostic &diagnostic) {
  const std::string &path = analysis.file().path();
  if (diagnostic.file == path)
    return rangeOf(diagnostic);
  for (const Diagnostic &note : diagnostic.notes)
    if (note.file == path)
      return rangeOf(note);
  return {};
}

static std::string messageOf(const Analysis &analysis, const Diagnostic &diagnostic) {
  std::string text = diagnostic.message;
  if (!diagnostic.file.empty() && diagnostic.file != analysis.file().path())
    text = fmt::format("{}:{}: {}", diagnostic.file, diagnostic.line, text);
  for (const Diagnostic &note : diagnostic.notes)
    if (!note.line)
      text += "\n" + note.message;
  if (diagnostic.help)
    text += "\nhelp: " + *diagnostic.help;
  return text;
}

static json::Value diagnosticOf(const Analysis &analysis, const Diagnostic &diagnostic) {
  json::Object made{{"range", toJson(placeIn(analysis, diagnostic))},
                    {"severity", severityOf(diagnostic.severity)},
                    {"source", "tegula"},
                    {"message", json::fixUTF8(messageOf(analysis, diagnostic))}};
  json::Array related;
  for (const Diagnostic &note : diagnostic.notes)
    if (note.line && !note.file.empty())
      related.push_back(json::Object{
          {"location", json::Object{{"uri", note.file == analysis.file().path() ? analysis.document.uri
                                                                                : uriOfPath(note.file)},
                                    {"range", toJson(rangeOf(note))}}},
          {"message", note.message}});
  if (!related.empty())
    made["relatedInformation"] = std::move(related);
  return made;
}

json::Value publishedDiagnostics(const Analysis &analysis) {
  json::Array list;
  for (const Diagnostic &diagnostic : analysis.check.diagnostics)
    list.push_back(diagnosticOf(analysis, diagnostic));
  return json::Object{{"uri", analysis.document.uri},
                      {"version", analysis.document.version},
                      {"diagnostics", std::move(list)}};
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

static json::Value action(const Analysis &analysis, const std::string &title, const EditorRange &range,
                          const std::string &text, const Diagnostic &diagnostic) {
  json::Object edits{
      {analysis.document.uri, json::Array{json::Object{{"range", toJson(range)}, {"newText", text}}}}};
  return json::Object{{"title", title},
                      {"kind", "quickfix"},
                      {"diagnostics", json::Array{diagnosticOf(analysis, diagnostic)}},
                      {"edit", json::Object{{"changes", std::move(edits)}}}};
}

/// The text of `help` between the backticks behind `start`; empty where it is no such help.
static std::string codeBehind(const std::string &help, std::string_view start) {
  if (!help.starts_with(start) || help.size() <= start.size() || help[start.size()] != '`')
    return {};
  const size_t begin = start.size() + 1, end = help.find('`', begin);
  return end == std::string::npos ? std::string() : help.substr(begin, end - begin);
}

static std::string textIn(const SourceFile &file, const EditorRange &range) {
  return std::string(file.slice({offsetAt(file, range.begin), offsetAt(file, range.end)}));
}

/// The edit that the help of a diagnostic says, where it is one: "did you mean `x`?", "write `==`", "cast it
/// first:
/// `.to(tl.float32)`", "decorate it with ...".
static void addHelp(const Analysis &analysis, const Diagnostic &diagnostic, json::Array &actions) {
  if (!diagnostic.help || diagnostic.file != analysis.file().path())
    return;
  const std::string &help = *diagnostic.help;
  const EditorRange range = rangeOf(diagnostic);
  const std::string marked = textIn(analysis.file(), range);
  std::string code = codeBehind(help, "did you mean ");
  if (code.empty())
    code = codeBehind(help, "in a kernel it is ");
  if (!code.empty()) {
    // The mark may be on the last part of a dotted name, of which the help names the whole.
    const size_t dot = code.rfind('.');
    if (marked.find('.') == std::string::npos && dot != std::string::npos &&
        marked.find('(') == std::string::npos) {
      const std::string_view line = diagnostic.sourceLine;
      const std::string whole = code.substr(0, dot + 1) + marked;
      if (line.find(whole) != std::string_view::npos)
        code = code.substr(dot + 1);
    }
    actions.push_back(action(analysis, fmt::format("change to `{}`", code), range, code, diagnostic));
    return;
  }
  if (code = codeBehind(help, "write "); code == "==" || code == "tl.range") {
    actions.push_back(action(analysis, fmt::format("write `{}`", code), range, code, diagnostic));
  } else if (code.starts_with("tl.load(")) {
    actions.push_back(action(analysis, fmt::format("write `{}`", code), range, code, diagnostic));
  } else if (code = codeBehind(help, "cast it first: "); code.starts_with(".to(")) {
    const bool isPlain = marked.find_first_of(" +-*/%<>=&|^~") == std::string::npos;
    actions.push_back(action(analysis, fmt::format("cast it: `{}`", code), range,
                             (isPlain ? marked : "(" + marked + ")") + code, diagnostic));
  }
}

/// A comment above the kernel that says what is guessed of it.
static void addComment(const Analysis &analysis, const Diagnostic &diagnostic, json::Array &actions) {
  const auto rests =
      std::find_if(diagnostic.notes.begin(), diagnostic.notes.end(), [](const Diagnostic &note) {
        return !note.line && note.message.starts_with("under the guess ");
      });
  if (rests == diagnostic.notes.end())
    return;
  const uint32_t offset = offsetAt(analysis.file(), placeIn(analysis, diagnostic).begin);
  const ast::FunctionStmt *function = jitFunctionAt(*analysis.source, offset);
  for (const KernelCheck &check : analysis.check.kernels) {
    if (!function || guess::functionOf(*analysis.source, check.kernel) != function)
      continue;
    const uint32_t line = firstLineOf(*analysis.source, check.kernel);
    std::vector<std::string> guessed;
    for (const ParameterInfo &parameter : check.kernel.parameters)
      if (check.specialisation.isGuessed(parameter.name))
        guessed.push_back(parameter.name);
    if (!line || guessed.empty())
      return;
    const std::string_view text = analysis.file().lineText(line);
    const std::string indent(text.substr(0, std::min(text.find_first_not_of(" \t"), text.size())));
    const EditorPosition place{line - 1, 0};
    actions.push_back(action(
        analysis, "say what the kernel is checked for", {place, place},
        fmt::format("{}# tegula: {}\n", indent, specialisationText(check.specialisation.spec, guessed)),
        diagnostic));
    return;
  }
}

/// Imports that kernels miss.
static void addImport(const Analysis &analysis, const Diagnostic &diagnostic, json::Array &actions) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> imports = {
      {{"name `tl` is not defined", "import triton.language as tl\n"},
       {"name `triton` is not defined", "import triton\n"}}};
  for (const auto &[message, text] : imports)
    if (diagnostic.message == message)
      actions.push_back(action(analysis, fmt::format("add `{}`", text.substr(0, text.size() - 1)), {},
                               std::string(text), diagnostic));
}

json::Array actionsIn(const Analysis &analysis, const EditorRange &range) {
  json::Array actions;
  for (const Diagnostic &diagnostic : analysis.check.diagnostics) {
    const EditorRange place = placeIn(analysis, diagnostic);
    if (place.end.line < range.begin.line || place.begin.line > range.end.line)
      continue;
    addHelp(analysis, diagnostic, actions);
    addComment(analysis, diagnostic, actions);
    addImport(analysis, diagnostic, actions);
  }
  return actions;
}

} // namespace tegula::cli
