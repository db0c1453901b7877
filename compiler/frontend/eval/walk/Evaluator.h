// The partial evaluator: walks the syntax tree of a kernel; what is known at compile time is computed,
// the rest becomes tile IR.
#pragma once

#include "compiler/frontend/eval/classes/Aggregates.h"
#include "compiler/frontend/eval/names/Names.h"

#include <map>

namespace tegula::eval {

class Evaluator final : public Evaluation {
public:
  Evaluator(mlir::MLIRContext *context, const FunctionTable &functions, const Unit &user,
            const KernelSpec &spec, DiagnosticEngine &diagnostics)
      : Evaluation(context, functions, user, spec, diagnostics), names(*this), classes(*this) {}

  /// Evaluates the body of `kernel` at the builder's insertion point, its parameters bound in `scope`.
  void run(const ast::FunctionStmt *kernel, Scope &scope);

  Value eval(const ast::Expr *expr) override;
  Flow exec(const ast::Stmt *stmt) override;
  void assign(const ast::Expr *target, const Value &value, SourceRange valueRange) override;
  Value call(const Value &callee, const Arguments &arguments, SourceRange range,
             SourceRange calleeRange) override;
  using Evaluation::call;
  Value attribute(const Value &object, std::string_view name, SourceRange range) override;
  std::optional<Value> findAttribute(const Value &object, std::string_view name, SourceRange range) override;

  ModuleNames &modules() override { return names; }
  Aggregates &aggregates() override { return classes; }

  Names names;

private:
  // EvaluatorExpr.cpp
  Value evalName(const ast::NameExpr &expr);
  Value evalNumber(const ast::NumberExpr &expr);
  Value evalSequence(ast::ExprList elements, bool isList, SourceRange range);
  Value evalDict(const ast::DictExpr &expr);
  bool setItem(llvm::SmallVectorImpl<std::pair<Value, Value>> &items, const Value &key, const Value &value,
               SourceRange range);
  Value evalBinary(const ast::BinaryExpr &expr);
  Value evalBool(const ast::BoolExpr &expr);
  Value evalCompare(const ast::CompareExpr &expr);
  Value evalConditional(const ast::ConditionalExpr &expr);
  Value evalWalrus(const ast::WalrusExpr &expr);
  Value unsupported(const ast::Expr &expr);

  // EvaluatorComprehension.cpp
  Value evalComprehension(const ast::ComprehensionExpr &expr);
  bool evalClauses(const ast::ComprehensionExpr &expr, size_t index, llvm::SmallVectorImpl<Value> &keys,
                   llvm::SmallVectorImpl<Value> &values);
  Value evalFString(const ast::FStringExpr &expr);

  // EvaluatorAttribute.cpp
  Value evalAttribute(const ast::AttributeExpr &expr);
  bool isShadowed(const ast::AttributeExpr &expr, const Value &object);
  /// A jit function of a class, or a constant of one that code at work may read.
  std::optional<Value> classAttribute(const UnknownOrigin &type, std::string_view name, SourceRange range);
  Value evalSubscript(const ast::SubscriptExpr &expr);
  Value evalIndex(const ast::Expr *expr);

  // EvaluatorCall.cpp
  /// Reports a call whose result nothing takes although `callee` says that something should.
  void checkUsed(const Value &callee, const ast::CallExpr &expr);
  Value evalCall(const ast::CallExpr &expr);
  /// Returns true for the name `math` where nothing binds it.
  bool isUnboundMath(const ast::Expr *expr);
  /// Reports the call of a function of `math`, which nothing binds. Of run-time values the language's own
  /// function is meant: an import would be of no use.
  Value refuseMath(const ast::AttributeExpr &callee, std::span<const ast::Argument> given);
  bool evalArguments(std::span<const ast::Argument> arguments, Arguments &out);
  bool spread(const ast::Argument &argument, const Value &value, Arguments &out);
  Value callFunction(const Function &function, const Arguments &arguments, SourceRange range);
  Value callLambda(const Lambda &lambda, const Arguments &arguments, SourceRange range);
  bool checkCall(const Function &function, const Arguments &arguments, SourceRange range);
  /// Returns true if it computes constants from constants: its decorators say so, under whatever name.
  bool runsAsPython(const Function &function);

  // EvaluatorStmt.cpp
  void execAssign(const ast::AssignStmt &stmt);
  void execAnnAssign(const ast::AnnAssignStmt &stmt);
  void execAugAssign(const ast::AugAssignStmt &stmt);
  Flow execReturn(const ast::ReturnStmt &stmt);
  void execAssert(const ast::AssertStmt &stmt);
  /// As Python does where its imports are known to succeed or to fail; what else may be raised is an error.
  Flow execTry(const ast::TryStmt &stmt);
  void execImport(const ast::Stmt &stmt);
  Flow execFunction(const ast::FunctionStmt &stmt);
  /// Runs `stmt` where it changes a list of the host; false where it is another statement.
  bool execMutation(const ast::ExprStmt &stmt);
  Flow unsupported(const ast::Stmt &stmt);

  // Evaluator.cpp
  void assignConstant(const ast::NameExpr &name, const Value &given, SourceRange valueRange);
  /// Assigns `value` where names among the targets have been declared `constexpr` without a value.
  void assignDeclared(const ast::Expr *target, const Value &value, SourceRange valueRange);
  void assignSequence(ast::ExprList targets, const Value &value, SourceRange targetRange,
                      SourceRange valueRange);
  void assignName(std::string_view name, SourceRange range, const Value &value, bool isConstexpr = false);

  // EvaluatorControl.cpp
  Flow execIf(const ast::IfStmt &stmt, size_t index = 0);
  Flow execFor(const ast::ForStmt &stmt);
  Flow execWhile(const ast::WhileStmt &stmt);
  Flow unroll(const ast::ForStmt &stmt, llvm::ArrayRef<Value> items);

  Aggregates classes;
  const ast::CallExpr *unusedCall = nullptr; ///< the statement at work, where it is a call and nothing else
  std::map<const ast::FunctionStmt *, bool> hosts; ///< what `runsAsPython` has found out
};

} // namespace tegula::eval
