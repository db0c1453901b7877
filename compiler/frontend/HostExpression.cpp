#include "compiler/frontend/HostExpression.h"

#include "compiler/frontend/HostEvaluation.h"
#include "compiler/frontend/eval/names/BoundNames.h"
#include "compiler/frontend/syntax/parse/Parser.h"

using namespace tegula;
using namespace tegula::eval;

std::optional<BoundValue> tegula::evaluateExpression(const std::string &what, const std::string &expression,
                                                     const std::map<std::string, BoundValue> &names,
                                                     mlir::MLIRContext &context,
                                                     DiagnosticEngine &diagnostics) {
  std::unique_ptr<ast::Module> module =
      parseModule(std::make_shared<const SourceFile>(what, expression + '\n'), diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  NameTable table;
  for (const char *name : {"cdiv", "next_power_of_2"})
    table.emplace(name, BoundValue{bound::Language{std::string("triton.") + name}});
  table.emplace("triton", BoundValue{bound::Language{"triton"}});
  for (const auto &[name, value] : names)
    table.insert_or_assign(name, value);
  ParsedProgram program(*module);
  program.sources.front().names = &table;
  HostEvaluation host(program, {}, KernelSpec(), context, diagnostics);
  const auto *statement = module->body.size() == 1 ? ast::as<ast::ExprStmt>(module->body.front()) : nullptr;
  if (!statement) {
    host.reporter().error({0, uint32_t(expression.size())}, "expected one expression");
    return std::nullopt;
  }
  const Value value = host.eval(statement->value);
  if (value.isPoison())
    return std::nullopt;
  std::optional<BoundValue> converted = toBound(value);
  if (!converted && host.evaluator.isKnownThroughout(value, statement->value->range))
    host.reporter().error(statement->value->range, "expected numbers, found " + describe(value));
  return diagnostics.hasErrors() ? std::nullopt : converted;
}
