#include "tools/tegula/lsp/Show.h"

#include "tools/tegula/lsp/LanguageDocs.h"
#include "tools/tegula/lsp/LineMap.h"
#include "tools/tegula/lsp/Names.h"
#include "tools/tegula/lsp/ShowReports.h"
#include "tools/tegula/lsp/commands/KernelCommands.h"

#include "compiler/guess/Guess.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace tegula::cli {

namespace json = llvm::json;

static const KernelCheck *checkOf(const Analysis &analysis, const ast::FunctionStmt &function) {
  for (const KernelCheck &check : analysis.check.kernels)
    if (guess::functionOf(*analysis.source, check.kernel) == &function)
      return &check;
  return nullptr;
}

/// "fp32[64,64]", "BLOCK = 64 (int)".
static std::string typeText(const KernelName &name) {
  return name.constant.empty() ? name.type : fmt::format("{} = {}", name.type, name.constant);
}

/// The values that the name at `range` has there: one for each type that it has in the calls of its function.
static std::set<std::string> typesAt(const Analysis &analysis, const std::string &name, SourceRange range) {
  const LineColumn place = analysis.file().lineColumn(range.begin);
  std::set<std::string> types;
  for (const KernelName &one : analysis.names())
    if (one.name == name && one.place.line == place.line && one.place.column == place.column &&
        one.place.file == analysis.file().path())
      types.insert(typeText(one));
  return types;
}

/// The types of a variable at a place where it is read: those of the nearest place above that binds it.
static std::set<std::string> typesBefore(const Analysis &analysis, const LocalName &local, SourceRange at) {
  std::set<std::string> types = typesAt(analysis, local.name, at);
  for (auto place = local.places.rbegin(); types.empty() && place != local.places.rend(); ++place)
    if (place->begin <= at.begin)
      types = typesAt(analysis, local.name, *place);
  return types;
}

/// The nearest place above that binds a variable.
static SourceRange boundBefore(const LocalName &local, SourceRange at) {
  SourceRange found = local.places.front();
  for (const SourceRange &place : local.places)
    if (place.begin <= at.begin)
      found = place;
  return found;
}

static std::string joined(const std::set<std::string> &types) {
  std::string text;
  for (const std::string &type : types)
    text += (text.empty() ? "" : " | ") + type;
  return text;
}

/// "x_ptr: *fp32:16  (guessed)" of a parameter of a kernel.
static std::string parameterText(const KernelCheck &check, const std::string &name) {
  const std::string said = specialisationText(check.specialisation.spec, {name});
  const auto reason = check.specialisation.reasons.find(name);
  if (reason == check.specialisation.reasons.end())
    return {};
  return fmt::format("{} ({})", said.empty() ? name : said, reasonText(reason->second));
}

static std::string functionText(const SourceFile &file, const ast::FunctionStmt &function) {
  const uint32_t end =
      function.returns                          ? function.returns->range.end
      : function.parameters.empty()             ? function.nameRange.end
      : function.parameters.back().defaultValue ? function.parameters.back().defaultValue->range.end
      : function.parameters.back().annotation   ? function.parameters.back().annotation->range.end
                                                : function.parameters.back().nameRange.end;
  std::string text = fmt::format("```python\ndef {}", file.slice({function.nameRange.begin, end}));
  if (!function.returns)
    text += function.parameters.empty() ? "()" : ")";
  text += "\n```\n";
  const auto *first = function.body.empty() ? nullptr : ast::as<ast::ExprStmt>(function.body.front());
  if (const auto *doc = first ? ast::as<ast::StringExpr>(first->value) : nullptr)
    text += std::string(doc->value) + "\n";
  return text;
}

static std::string hoverText(const Analysis &analysis, const NameAt &name) {
  const ParsedSource &source = *analysis.source;
  if (name.isLocal) {
    const std::optional<LocalName> local = localName(*name.function, name.name);
    const std::string types = local ? joined(typesBefore(analysis, *local, name.range)) : std::string();
    std::string text;
    if (!types.empty())
      text = fmt::format("```python\n{}: {}\n```\n", name.name, types);
    if (const KernelCheck *check = checkOf(analysis, *name.function); check && local && local->isParameter)
      text += parameterText(*check, name.name) + "\n";
    else if (local)
      text +=
          valueText(analysis, name.name, analysis.file().lineColumn(boundBefore(*local, name.range).begin));
    return text;
  }
  if (name.isMethod) {
    const LanguageFunction *method = tensorMethod(name.name);
    return method ? docText(*method) : std::string();
  }
  if (const LanguageFunction *function = languageFunction(source, name.dotted))
    return docText(*function);
  if (const guess::FoundFunction found = guess::jitFunction(source, name.dotted); found.function)
    return functionText(*found.module->source, *found.function);
  return {};
}

json::Value hoverAt(const Analysis &analysis, uint32_t offset) {
  const std::optional<NameAt> name = nameAt(*analysis.source, offset);
  std::string text = name ? hoverText(analysis, *name) : std::string();
  if (name)
    if (const std::string cost = costText(analysis, analysis.file().line(offset)); !cost.empty())
      text += (text.empty() ? "" : "\n") + cost;
  if (text.empty())
    return nullptr;
  return json::Object{{"contents", json::Object{{"kind", "markdown"}, {"value", text}}},
                      {"range", toJson(rangeOf(analysis.file(), name->range))}};
}

static json::Value hint(const EditorPosition &position, const std::string &label) {
  constexpr int typeKind = 1;
  return json::Object{{"position", toJson(position)}, {"label", label}, {"kind", typeKind}};
}

/// Hints of the last version without errors, in the lines that are as they were: a text that does not parse
/// for a moment keeps its hints.
static json::Array formerHints(const Analysis &analysis, const EditorRange &range) {
  json::Array hints;
  if (!analysis.lastClean)
    return hints;
  const LineMap lines(analysis.lastClean->file().text(), analysis.file().text());
  constexpr uint32_t end = INT32_MAX;
  for (json::Value &hint : hintsIn(*analysis.lastClean, {{}, {end, 0}})) {
    json::Object &position = *hint.getAsObject()->getObject("position");
    const std::optional<uint32_t> line = lines.find(uint32_t(*position.getInteger("line")));
    if (!line || *line < range.begin.line || *line > range.end.line)
      continue;
    position["line"] = *line;
    hints.push_back(std::move(hint));
  }
  return hints;
}

json::Array hintsIn(const Analysis &analysis, const EditorRange &range) {
  if (analysis.source->hasErrors)
    return formerHints(analysis, range);
  json::Array hints;
  const SourceFile &file = analysis.file();
  auto isShown = [&](const EditorPosition &position) {
    return position.line >= range.begin.line && position.line <= range.end.line;
  };
  for (const KernelCheck &check : analysis.check.kernels) {
    const ast::FunctionStmt *function = guess::functionOf(*analysis.source, check.kernel);
    if (!function)
      continue;
    for (const ast::Parameter &parameter : function->parameters) {
      const std::string name(parameter.name);
      const std::string said = specialisationText(check.specialisation.spec, {name});
      const uint32_t end = parameter.annotation ? parameter.annotation->range.end : parameter.nameRange.end;
      const EditorPosition position = positionAt(file, end);
      if (said.empty() || parameter.defaultValue || !isShown(position))
        continue;
      const std::string value = said.substr(name.size() + 1);
      hints.push_back(hint(position, (parameter.annotation ? " = " : ": ") + value));
    }
  }
  // Types where a name is assigned; of a name that gets the same type again, the first place only.
  std::map<std::pair<uint32_t, uint32_t>, std::pair<std::string, std::set<std::string>>> byPlace;
  for (const KernelName &name : analysis.names())
    if (name.place.file == file.path() && name.place.line && !name.isKept && name.constant.empty() &&
        name.name.find_first_of(".[") == std::string::npos) {
      auto &[text, types] = byPlace[{name.place.line, name.endColumn}];
      text = name.name;
      types.insert(name.type);
    }
  std::map<std::pair<const ast::FunctionStmt *, std::string>, std::string> shown;
  std::map<const ast::FunctionStmt *, std::set<std::string>> variables;
  auto isVariable = [&](const ast::FunctionStmt &function, const std::string &name) {
    const auto [place, isNew] = variables.try_emplace(&function);
    if (isNew)
      for (const LocalName &local : localNames(function))
        if (!local.isParameter)
          place->second.insert(local.name);
    return place->second.contains(name);
  };
  for (const auto &[place, named] : byPlace) {
    const std::string_view line = file.lineText(place.first);
    const Diagnostic at{.line = place.first,
                        .column = place.second,
                        .endColumn = place.second + 1,
                        .sourceLine = std::string(line)};
    const EditorPosition position = rangeOf(at).begin;
    const ast::FunctionStmt *function = jitFunctionAt(*analysis.source, offsetAt(file, position));
    if (!function || !isShown(position))
      continue;
    const std::string types = joined(named.second);
    std::string &last = shown[{function, named.first}];
    if (!isVariable(*function, named.first) || last == types)
      continue;
    last = types;
    hints.push_back(hint(position, ": " + types));
  }
  return hints;
}

json::Array lensesOf(const Analysis &analysis) {
  json::Array lenses;
  for (const KernelCheck &check : analysis.check.kernels) {
    const ast::FunctionStmt *function = guess::functionOf(*analysis.source, check.kernel);
    if (!function)
      continue;
    std::map<std::string, std::vector<std::string>> byReason;
    for (const ParameterInfo &parameter : check.kernel.parameters)
      if (const auto reason = check.specialisation.reasons.find(parameter.name);
          reason != check.specialisation.reasons.end() &&
          check.specialisation.spec.args.contains(parameter.name))
        byReason[reasonText(reason->second)].push_back(parameter.name);
    std::string title = check.specialisation.spec.target;
    for (const auto &[reason, names] : byReason)
      title += fmt::format("; {}: {}", reason, specialisationText(check.specialisation.spec, names));
    // Commands stand in front: editors go by columns, and what is said of a kernel may be long.
    const EditorRange name = rangeOf(analysis.file(), function->nameRange);
    const EditorPosition front{name.begin.line, 0};
    for (json::Value &lens : commandLenses(analysis, check.kernel.name, toJson(EditorRange{front, front})))
      lenses.push_back(std::move(lens));
    lenses.push_back(
        json::Object{{"range", toJson(name)}, {"command", json::Object{{"title", title}, {"command", ""}}}});
  }
  for (json::Value &lens : resourceLenses(analysis))
    lenses.push_back(std::move(lens));
  return lenses;
}

} // namespace tegula::cli
