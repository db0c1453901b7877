#include "test/compiler/frontend/Files.h"

#include "compiler/frontend/syntax/parse/Parser.h"

#include "mlir/IR/MLIRContext.h"

#include <filesystem>

namespace tegula::test {
namespace {

namespace fs = std::filesystem;

class Loader : public ModuleLoader {
public:
  Loader(Files files, Variables variables) : files(std::move(files)), variables(std::move(variables)) {}

  FoundModule find(const ModuleRequest &request) const override {
    fs::path folder;
    if (request.level) {
      folder = fs::path(request.importer).parent_path();
      for (uint32_t up = 1; up < request.level; ++up)
        folder = folder.parent_path();
    }
    std::string inner = request.name;
    std::replace(inner.begin(), inner.end(), '.', '/');
    std::string base = (folder / inner).lexically_normal().string();
    if (base.ends_with('/'))
      base.pop_back();
    std::string name = base;
    std::replace(name.begin(), name.end(), '/', '.');
    if (name.empty())
      name = "top";
    const std::string prefix = base.empty() || base == "." ? "" : base + "/";
    for (const std::string &path : {prefix + "__init__.py", base + ".py"})
      if (auto found = files.find(path); found != files.end())
        return serve(name, path, found->second);
    auto within = files.lower_bound(prefix);
    if (within != files.end() && within->first.starts_with(prefix))
      return serve(name, prefix + "__init__.py", "");
    return {};
  }

  EnvironmentVariable variable(const std::string &name) const override {
    if (!variables)
      return {};
    auto found = variables->find(name);
    return {true, found == variables->end() ? std::nullopt : std::optional(found->second)};
  }

private:
  static FoundModule serve(const std::string &name, const std::string &path, const std::string &text) {
    if (text.starts_with('!'))
      return {FoundModule::Unreadable, name, path, {}, "cannot read `" + path + "`: " + text.substr(1)};
    return {FoundModule::File, name, path, text, {}};
  }

  const Files files;
  const Variables variables;
};

void describe(const std::vector<Diagnostic> &diagnostics, std::string &out, const std::string &indent) {
  for (const Diagnostic &diagnostic : diagnostics) {
    out += indent;
    if (diagnostic.severity != Severity::Remark && diagnostic.line)
      out += diagnostic.file + ":" + std::to_string(diagnostic.line) + ":" +
             std::to_string(diagnostic.column) + ": ";
    out += diagnostic.message + "\n";
    describe(diagnostic.notes, out, indent + "  ");
    if (diagnostic.help)
      out += indent + "  help: " + *diagnostic.help + "\n";
  }
}

} // namespace

std::shared_ptr<const ModuleLoader> loaderOf(Files files, Variables variables) {
  return std::make_shared<Loader>(std::move(files), std::move(variables));
}

std::vector<Diagnostic> diagnosticsOf(const Program &program) {
  DiagnosticEngine engine;
  auto file = std::make_shared<SourceFile>(program.entry, program.files.at(program.entry));
  std::unique_ptr<ast::Module> module = parseModule(file, engine);
  EXPECT_FALSE(engine.hasErrors()) << render(engine.diagnostics());
  ImportedModules imports(
      {program.isAlone ? nullptr : loaderOf(program.files, program.variables), program.values}, *module);
  ParsedProgram parsed(*module);
  parsed.imports = &imports;
  KernelSpec spec;
  spec.kernel = program.kernel;
  spec.target = program.target;
  for (const auto &[name, type] : program.arguments)
    spec.args[name] = std::get<ArgSpec>(parseArgType(type));
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> ir = lowerToTile(parsed, spec, context, engine);
  EXPECT_EQ(bool(ir), !engine.hasErrors()) << render(engine.diagnostics());
  return engine.take();
}

std::string messagesOf(const Program &program) {
  std::string out;
  describe(diagnosticsOf(program), out, "");
  return out;
}

std::string messagesOf(std::string above, std::string body, Files others,
                       std::map<std::string, BoundValue> values) {
  others["k.py"] = std::move(above) + "@triton.jit\ndef k(x):\n    " + std::move(body) + "\n";
  return messagesOf({.files = std::move(others), .values = std::move(values)});
}

} // namespace tegula::test
