#include "tools/tegula/lsp/Reports.h"

#include "runtime/jit/program/CompileError.h"
#include "runtime/jit/program/CompiledSource.h"
#include "tools/tegula/check/GuessSearch.h"
#include "tools/tegula/explain/CompiledKernel.h"

#include <algorithm>

namespace tegula::cli {

/// Frees what no editor shows.
static void shrink(explain::Document &document) {
  for (insight::StageText &stage : document.insight.stages) {
    stage.text = {};
    stage.spans = {};
  }
  document.ptx = {};
  document.files = {};
  std::erase_if(document.remarks,
                [](const explain::PlacedRemark &placed) { return placed.place == insight::None; });
}

static std::string guessOf(const KernelCheck &check) {
  std::vector<std::string> guessed = check.specialisation.guessedOf(check.kernel);
  // The lens has them all.
  constexpr size_t shown = 4;
  if (guessed.size() > shown)
    guessed.resize(shown);
  return guessText(check.specialisation, guessed);
}

static std::optional<KernelReport> reportOf(const ParsedSource &source, const KernelCheck &check,
                                            const std::function<bool()> &isStopped) {
  KernelReport made{{}, guessOf(check)};
  CompileOptions options;
  options.insight = options.remarks = true;
  options.isStopped = isStopped;
  made.document.spec = check.specialisation.spec;
  const CompileResult result = jit::sharedCompiler().compile(source, made.document.spec, options);
  if (!result.image || isStopped())
    return std::nullopt;
  addCompiled(made.document, source, check.kernel, result,
              [](const std::string &) { return std::optional<std::string>(); });
  if (!isStopped())
    if (const runtime::Result<std::optional<runtime::MachineCode>> code = machineCodeOf(*result.image);
        code && *code)
      addAssembled(made.document, *result.image, **code);
  shrink(made.document);
  return made;
}

std::shared_ptr<const Reports> reportsOf(const ParsedSource &source, const FileCheck &checked,
                                         std::shared_ptr<const std::string> text,
                                         const std::function<bool()> &isStopped,
                                         const std::function<bool()> &isLate) {
  auto made = std::make_shared<Reports>();
  made->text = std::move(text);
  for (const KernelCheck &check : checked.kernels) {
    const bool isWrong = std::ranges::any_of(check.diagnostics, [](const Diagnostic &one) {
      return jit::isError(one) || !one.guessed.empty() || one.basis == Basis::Process;
    });
    if (isWrong)
      continue;
    std::optional<KernelReport> report = reportOf(source, check, [&] { return isStopped() || isLate(); });
    if (isStopped())
      return nullptr;
    if (report)
      made->kernels.push_back(std::move(*report));
  }
  return made;
}

} // namespace tegula::cli
