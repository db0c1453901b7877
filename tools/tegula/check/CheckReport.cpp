#include "tools/tegula/check/CheckReport.h"

#include "compiler/driver/ParsedSource.h"
#include "dialect/Counted.h"
#include "runtime/jit/program/CompileError.h"
#include "tools/tegula/output/Report.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

namespace tegula::cli {

static Json kernelJson(const KernelCheck &check) {
  const Specialisation &specialisation = check.specialisation;
  Json::Array parameters;
  for (const ParameterInfo &parameter : check.kernel.parameters) {
    const auto reason = specialisation.reasons.find(parameter.name);
    const std::string text = specialisationText(specialisation.spec, {parameter.name});
    parameters.push_back(Json::Object{
        {"name", parameter.name},
        {"constexpr", parameter.isConstexpr},
        {"value", text.empty() ? Json() : Json(text.substr(parameter.name.size() + 1))},
        {"because", reason == specialisation.reasons.end() ? Json() : Json(reasonText(reason->second))}});
  }
  return Json::Object{{"name", check.kernel.name},
                      {"line", check.kernel.line},
                      {"arch", specialisation.spec.target},
                      {"numWarps", specialisation.spec.warps()},
                      {"numStages", specialisation.spec.stages()},
                      {"grid", specialisation.grid.empty() ? Json() : Json(specialisation.grid)},
                      {"guessed", specialisation.hasGuesses()},
                      {"parameters", std::move(parameters)}};
}

Json checkJson(const std::vector<FileCheck> &files) {
  Json::Array list;
  for (const FileCheck &file : files) {
    Json::Object members{{"file", file.path},
                         {"diagnostics", jsonArray(file.diagnostics, diagnosticJson)},
                         {"kernels", jsonArray(file.kernels, kernelJson)}};
    if (file.fixes)
      members.emplace_back("fixes", file.fixes);
    list.push_back(std::move(members));
  }
  return Json::Object{{"files", std::move(list)}};
}

std::string checkSummary(const std::vector<FileCheck> &files) {
  size_t kernels = 0, errors = 0, warnings = 0, fixes = 0;
  for (const FileCheck &file : files) {
    kernels += file.kernels.size();
    fixes += file.fixes;
    for (const Diagnostic &diagnostic : file.diagnostics) {
      errors += jit::isError(diagnostic);
      warnings += diagnostic.severity == Severity::Warning;
    }
  }
  return fmt::format("{}, {}: {}, {}{}\n", counted(files.size(), "file"), counted(kernels, "kernel"),
                     counted(errors, "error"), counted(warnings, "warning"),
                     fixes ? fmt::format("; {} made", counted(fixes, "fix", "fixes")) : "");
}

std::vector<Diagnostic> missedOptimisations(const FileCheck &check, const ParsedSource &source) {
  std::vector<Diagnostic> notes;
  std::set<std::tuple<uint32_t, uint32_t, std::string>> seen;
  for (const KernelCheck &kernel : check.kernels)
    for (const Remark &remark : kernel.remarks) {
      const bool isHere = remark.file == source.file().path();
      if (remark.kind != Remark::Missed || !seen.emplace(remark.line, remark.column, remark.text).second)
        continue;
      notes.push_back(
          {.severity = Severity::Note,
           .message = fmt::format("{}: {}", remark.pass, remark.text),
           .file = remark.file,
           .line = remark.line,
           .column = remark.column,
           .endColumn = remark.column + 1,
           .sourceLine = isHere ? std::string(source.file().lineText(remark.line)) : std::string()});
    }
  return notes;
}

} // namespace tegula::cli
