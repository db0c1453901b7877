// libFuzzer's entry: any bytes are parsed, printed, and what parsed must read back the same.
#include "compiler/frontend/syntax/ast/AstPrinter.h"
#include "compiler/frontend/syntax/parse/Parser.h"

#include <cstdio>
#include <cstdlib>

using namespace tegula;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  DiagnosticEngine engine;
  auto source =
      std::make_shared<SourceFile>("fuzz.py", std::string(reinterpret_cast<const char *>(data), size));
  auto module = parseModule(source, engine);
  render(engine.diagnostics());
  ast::printModule(*module);
  if (engine.hasErrors() || !module->deferredErrors.empty())
    return 0;
  std::string printed = ast::formatModule(*module);
  DiagnosticEngine again;
  auto second = parseModule(std::make_shared<SourceFile>("printed.py", printed), again);
  if (again.hasErrors() || ast::formatModule(*second) != printed) {
    std::fprintf(stderr, "printed as:\n%s\n%s", printed.c_str(), render(again.diagnostics()).c_str());
    std::abort();
  }
  return 0;
}
