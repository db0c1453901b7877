#include "compiler/driver/ParsedSource.h"

#include "compiler/frontend/syntax/parse/Parser.h"

#include "llvm/Support/FormatVariadic.h"

namespace tegula {

/// Parses the texts in `parsed`; what is wrong in any follows what `engine` has.
static void parseFiles(ParsedSource &parsed, DiagnosticEngine &engine) {
  for (const std::shared_ptr<const SourceFile> &file : parsed.files)
    parsed.modules.push_back(parseModule(file, engine));
  parsed.hasErrors = engine.hasErrors();
  parsed.diagnostics = engine.take();
}

std::shared_ptr<const ParsedSource> parseSource(std::string path, std::string text, ImportOptions imports) {
  auto parsed = std::make_shared<ParsedSource>();
  parsed->files.push_back(std::make_shared<const SourceFile>(std::move(path), std::move(text)));
  DiagnosticEngine engine;
  parseFiles(*parsed, engine);
  parsed->program = ParsedProgram(*parsed->modules[0]);
  if (imports.loader || !imports.values.empty()) {
    parsed->imports = std::make_unique<ImportedModules>(std::move(imports), *parsed->modules[0]);
    parsed->program.imports = parsed->imports.get();
  }
  return parsed;
}

std::shared_ptr<const ParsedSource> parseSources(std::vector<SourceUnit> units, size_t entry) {
  auto parsed = std::make_shared<ParsedSource>();
  DiagnosticEngine engine;
  if (entry >= units.size()) {
    engine.report(
        {.message = llvm::formatv("expected the number of one of {0} sources as a program's entry, found {1}",
                                  units.size(), entry)
                        .str()});
    entry = units.size();
    units.emplace_back();
  }
  for (SourceUnit &unit : units) {
    parsed->files.push_back(
        std::make_shared<const SourceFile>(std::move(unit.path), std::move(unit.text), unit.firstLine));
    parsed->names.push_back(std::move(unit.names));
  }
  parseFiles(*parsed, engine);
  for (size_t i = 0; i < units.size(); ++i) {
    const ast::Module &module = *parsed->modules[i];
    bool isOneFunction = module.body.size() == 1 && module.body[0]->kind == ast::StmtKind::Function;
    bool isHosts = isOneFunction || !parsed->names[i].empty();
    parsed->program.sources.push_back({&module, isHosts ? &parsed->names[i] : nullptr});
  }
  parsed->program.entry = entry;
  return parsed;
}

std::string excerptAt(const ParsedSource &program, std::string_view file, uint32_t line, uint32_t column) {
  for (const std::shared_ptr<const SourceFile> &source : program.allFiles())
    if (source->path() == file)
      if (std::string shown = excerpt(source->lineText(line), column); !shown.empty())
        return shown;
  return {};
}

} // namespace tegula
