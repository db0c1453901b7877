#include "test/compiler/frontend/Harness.h"

#include "compiler/analysis/VerifyStage.h"
#include "compiler/frontend/syntax/parse/Parser.h"
#include "compiler/spec/Descriptor.h"
#include "compiler/spec/PassedTuple.h"

#include "dialect/tile/BoundNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <sstream>

namespace tegula::test {
namespace {

constexpr std::string_view imports = "import triton\nimport triton.language as tl\n";
constexpr int importLines = 2;

BoundValue parseValue(std::string_view text) {
  if (text == "none")
    return {std::monostate()};
  if (text == "true" || text == "false")
    return {text == "true"};
  if (text.starts_with('\''))
    return {std::string(text.substr(1, text.size() - 2))};
  if (text.starts_with("tl."))
    for (auto [name, kind] :
         {std::pair("tl.float16", ScalarKind::Float16), std::pair("tl.float32", ScalarKind::Float32),
          std::pair("tl.int32", ScalarKind::Int32)})
      if (text == name)
        return {bound::Dtype{kind}};
  if (text.find('.') != text.npos)
    return {std::stod(std::string(text))};
  return {int64_t(std::stoll(std::string(text)))};
}

std::string header(const NamedArguments &arguments) {
  std::string text = "@triton.jit\ndef kernel(";
  for (const auto &[name, type] : arguments)
    text += name + (type.starts_with('#') ? ": tl.constexpr, " : ", ");
  return text + "):\n";
}
constexpr int headerLines = 2;

std::string indented(std::string_view body) {
  std::string text;
  std::istringstream lines{std::string(body)};
  for (std::string line; std::getline(lines, line);)
    text += line.empty() ? "\n" : "    " + line + "\n";
  return text;
}

void shift(std::vector<Diagnostic> &diagnostics, int lines, int columns) {
  for (Diagnostic &diagnostic : diagnostics) {
    if (diagnostic.line) {
      diagnostic.line -= lines;
      diagnostic.column -= columns;
      diagnostic.endColumn -= columns;
    }
    shift(diagnostic.notes, lines, columns);
  }
}

mlir::MLIRContext &context() {
  static mlir::MLIRContext shared(mlir::MLIRContext::Threading::DISABLED);
  return shared;
}

} // namespace

static std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, mlir::OpPrintingFlags().enableDebugInfo());
  return text;
}

/// Names are there only where they are asked for: without them the program is what it is anyway.
static void checkNames(const ParsedProgram &program, const KernelSpec &spec, const std::string &whole) {
  DiagnosticEngine engine;
  mlir::OwningOpRef<mlir::ModuleOp> named = lowerToTile(program, spec, context(), engine, {.names = true});
  ASSERT_TRUE(bool(named)) << render(engine.diagnostics());
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*named))) << whole;
  EXPECT_TRUE(mlir::parseSourceString<mlir::ModuleOp>(printed(*named), &context())) << printed(*named);
  for (const tile::BoundName &name : tile::boundNames(*named)) {
    EXPECT_GT(name.place.line, 0u) << name.name;
    EXPECT_LT(name.place.column, name.place.endColumn) << name.name;
  }
  tile::eraseNames(*named);
  EXPECT_EQ(printed(*named), whole);
}

static Evaluated evaluateSpec(std::string_view source, const NamedArguments &arguments, KernelSpec spec) {
  Evaluated result;
  DiagnosticEngine engine;
  auto file = std::make_shared<SourceFile>("k.py", std::string(imports) + std::string(source));
  std::unique_ptr<ast::Module> module = parseModule(file, engine);
  EXPECT_FALSE(engine.hasErrors()) << render(engine.diagnostics());
  for (const auto &[name, type] : arguments) {
    if (type.starts_with('#')) {
      spec.args[name] = parseValue(std::string_view(type).substr(1));
      continue;
    }
    if (looksLikeDescriptor(type)) {
      auto descriptor = parseDescriptorType(type);
      if (const std::string *wrong = std::get_if<std::string>(&descriptor)) {
        ADD_FAILURE() << *wrong;
        continue;
      }
      const auto &[element, value] = std::get<DescriptorType>(descriptor);
      spec.args[name] = BoundValue{value};
      spec.args[name + ".base"] = descriptorParameters(name, value.block.size(), element).front().second;
      continue;
    }
    if (looksLikeTuple(type)) {
      auto tuple = parseTupleType(name, type);
      if (const std::string *wrong = std::get_if<std::string>(&tuple)) {
        ADD_FAILURE() << *wrong;
        continue;
      }
      spec.args[name] = std::get<TupleType>(tuple).value;
      for (const auto &[item, itemType] : std::get<TupleType>(tuple).passed)
        spec.args[item] = itemType;
      continue;
    }
    auto parsed = parseArgType(type);
    if (const std::string *wrong = std::get_if<std::string>(&parsed))
      ADD_FAILURE() << *wrong;
    else
      spec.args[name] = std::get<ArgSpec>(parsed);
  }
  mlir::OwningOpRef<mlir::ModuleOp> ir = lowerToTile(*module, spec, context(), engine);
  EXPECT_EQ(bool(ir), !engine.hasErrors());
  result.diagnostics = engine.diagnostics();
  result.errors = render(result.diagnostics);
  if (!ir)
    return result;
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*ir))) << source;
  EXPECT_TRUE(mlir::succeeded(verifyStage(*ir, VerifiedStage::Tile))) << source;
  auto function = *ir->getOps<mlir::func::FuncOp>().begin();
  llvm::raw_string_ostream out(result.ir);
  function->print(out, mlir::OpPrintingFlags().useLocalScope());
  // What is printed can be read back.
  const std::string whole = printed(*ir);
  EXPECT_TRUE(mlir::parseSourceString<mlir::ModuleOp>(whole, &context())) << whole;
  checkNames(*module, spec, whole);
  llvm::raw_string_ostream located(result.located);
  ir->print(located, mlir::OpPrintingFlags().enableDebugInfo(true, /*prettyForm=*/false).useLocalScope());
  return result;
}

Evaluated evaluate(std::string_view source, const NamedArguments &arguments, bool debug,
                   std::string_view kernel, std::string_view target) {
  KernelSpec spec;
  spec.debug = debug;
  spec.kernel = kernel;
  spec.target = target;
  return evaluateSpec(source, arguments, std::move(spec));
}

Evaluated evaluateAs(std::string_view version, std::string_view source, const NamedArguments &arguments,
                     bool debug, std::string_view kernel) {
  KernelSpec spec;
  spec.debug = debug;
  spec.kernel = kernel;
  spec.tritonVersion = version;
  Evaluated result = evaluateSpec(source, arguments, std::move(spec));
  shift(result.diagnostics, importLines, 0);
  return result;
}

Evaluated evaluateBody(std::string_view body, const NamedArguments &arguments, bool debug) {
  Evaluated result = evaluate(header(arguments) + indented(body), arguments, debug);
  shift(result.diagnostics, importLines + headerLines, 4);
  return result;
}

Evaluated evaluateFor(std::string_view target, std::string_view body, const NamedArguments &arguments) {
  Evaluated result = evaluate(header(arguments) + indented(body), arguments, false, {}, target);
  shift(result.diagnostics, importLines + headerLines, 4);
  return result;
}

std::string bodyIr(std::string_view body, const NamedArguments &arguments, bool debug) {
  Evaluated result = evaluateBody(body, arguments, debug);
  EXPECT_EQ(result.errors, "");
  return result.ir;
}

std::string locatedIr(std::string_view source, const NamedArguments &arguments, std::string_view kernel) {
  Evaluated result = evaluate(source, arguments, false, kernel);
  EXPECT_EQ(result.errors, "");
  return result.located;
}

testing::AssertionResult holds(const std::string &text, std::initializer_list<std::string_view> parts) {
  size_t at = 0;
  for (std::string_view part : parts) {
    size_t found = text.find(part, at);
    if (found == text.npos)
      return testing::AssertionFailure() << "no `" << part << "` (in this order) in\n" << text;
    at = found + part.size();
  }
  return testing::AssertionSuccess();
}

static void summarize(const std::vector<Diagnostic> &diagnostics, std::string &out, std::string indent) {
  for (const Diagnostic &diagnostic : diagnostics) {
    out += indent;
    if (diagnostic.line)
      out += std::to_string(int(diagnostic.line)) + ":" + std::to_string(int(diagnostic.column)) + "-" +
             std::to_string(int(diagnostic.endColumn)) + ": ";
    if (diagnostic.severity == Severity::Remark)
      out += "remark: ";
    out += diagnostic.message + "\n";
    summarize(diagnostic.notes, out, indent + "  ");
    if (diagnostic.help)
      out += indent + "  help: " + *diagnostic.help + "\n";
  }
}

std::string summary(const std::vector<Diagnostic> &diagnostics) {
  std::string out;
  summarize(diagnostics, out, "");
  return out;
}

std::string bodyErrors(std::string_view body, const NamedArguments &arguments) {
  return summary(evaluateBody(body, arguments).diagnostics);
}

std::string bodyMessages(std::string_view body, const NamedArguments &arguments) {
  std::string out;
  for (const Diagnostic &diagnostic : evaluateBody(body, arguments).diagnostics)
    out += diagnostic.message + "\n";
  return out;
}

std::string fileErrors(std::string_view source, const NamedArguments &arguments, std::string_view kernel) {
  Evaluated result = evaluate(source, arguments, false, kernel);
  shift(result.diagnostics, importLines, 0);
  return summary(result.diagnostics);
}

} // namespace tegula::test
