// The evaluator as its parts see it: the state of one compilation, and the walk over the syntax tree, which
// each of them may ask to go on.
#pragma once

#include "compiler/frontend/eval/Frame.h"
#include "compiler/frontend/eval/FunctionTable.h"
#include "compiler/frontend/tracing/Semantics.h"
#include "compiler/frontend/values/ConstexprOps.h"
#include "compiler/frontend/values/Memory.h"

#include <deque>
#include <optional>

namespace tegula::eval {

class Aggregates;
class ModuleNames;

class Evaluation {
public:
  Evaluation(const Evaluation &) = delete;
  Evaluation &operator=(const Evaluation &) = delete;

  // The walk, which `Evaluator` carries out, in `frame`. After a report a value is Poison.
  virtual Value eval(const ast::Expr *expr) = 0;
  virtual Flow exec(const ast::Stmt *stmt) = 0;
  /// `target = value`, where `valueRange` is the place of the value.
  virtual void assign(const ast::Expr *target, const Value &value, SourceRange valueRange) = 0;
  virtual Value call(const Value &callee, const Arguments &arguments, SourceRange range,
                     SourceRange calleeRange) = 0;
  virtual Value attribute(const Value &object, std::string_view name, SourceRange range) = 0;
  /// Absent, without a report, where there is no such attribute.
  virtual std::optional<Value> findAttribute(const Value &object, std::string_view name,
                                             SourceRange range) = 0;

  // Parts that others ask.
  virtual ModuleNames &modules() = 0;
  virtual Aggregates &aggregates() = 0;

  // Code that runs as it is met, by the walk.
  Flow execBlock(ast::Block block);
  /// Runs the body of the function that `callee` is a call of, and returns what that returns.
  Value execBody(Frame &callee);
  /// As Python: in Host mode at the top of `unit`, so that its variables may be read.
  Value evalHost(const ast::Expr *expr, const Unit &unit, Scope *scope = nullptr);
  /// Runs `evaluate` in `inner`, whose messages have its place.
  Value within(Frame &inner, llvm::function_ref<Value()> evaluate);
  /// A call with plain values, for builtins that take functions.
  Value call(const Value &callee, llvm::ArrayRef<Value> arguments, SourceRange range);
  /// Returns true if one of `decorators`, of something in `unit`, is one of these functions of the language,
  /// under whatever name.
  bool isDecorated(ast::ExprList decorators, const Unit &unit, llvm::ArrayRef<std::string_view> names);

  // Values.
  /// The values of something that can be iterated over at compile time.
  std::optional<llvm::ArrayRef<Value>> iterate(const Value &value, SourceRange range);
  /// A tuple of `items` without those that it has already: what a set is here.
  Value distinct(llvm::ArrayRef<Value> items, SourceRange range);
  /// `value` as a run-time value where it is a number, within tuples too: what assigning does in a kernel.
  Value decay(const Value &value, SourceRange range);
  /// `value` as a jit function returns it: a constant, or the tensor of one where the version has it so.
  Value returned(const Value &value, SourceRange range);
  /// `value` where a constant is asked for: with the numbers that returned tensors stand for, within tuples
  /// too.
  Value asConstant(const Value &value, SourceRange range);
  /// Returns true if the current code may read `value` from the scopes around it: a kernel reads plain values
  /// only where they are constants.
  bool mayRead(const Value &value) const;
  /// Returns true in a function that names functions of libraries (`@core.extern`).
  bool isInExtern() const;

  // Names of the source, in NamedValues.cpp. Nothing is done but where `recordsNames` is set, and in a
  // kernel.
  /// Notes in the IR that the name of `binding` has its value from here on; `kept` where it was not assigned,
  /// but carried by a loop or a branch.
  void nameValue(std::string_view name, const Binding &binding, bool kept = false);
  /// The same for every parameter of the call that `frame` is.
  void nameParameters();

  // Names without a value, in names/UnknownNames.cpp.
  /// False, after a report, where `value` is one: whatever looks at what a value is asks this first.
  bool hasValue(const Value &value, SourceRange range);
  /// The same for what looks into tuples and dicts.
  bool isKnownThroughout(const Value &value, SourceRange range);
  Diagnostic &reportUnknown(const UnknownOrigin &origin, SourceRange range);
  /// Reports that `object` has no attribute `name`, with the nearest that it has. Returns Poison.
  Value reportMissing(const Value &object, std::string_view name, SourceRange range);

  /// Sets the place of ops made from now on.
  void at(SourceRange range) { emit.loc = reporter.locate(range); }
  /// False, after a report, where a limit has been reached.
  bool step(SourceRange range);
  /// Counts nested walks while it lives; `ok` is false past the limit.
  class Depth {
  public:
    Depth(Evaluation &evaluator, SourceRange range);
    ~Depth() { --evaluator.depth; }
    Depth(const Depth &) = delete;
    Depth &operator=(const Depth &) = delete;
    bool ok;

  private:
    Evaluation &evaluator;
  };

  const FunctionTable &functions;
  const Unit &user; ///< with the kernel
  const KernelSpec &spec;
  const LanguageVersion &language; ///< what the version that `spec` names means otherwise than others
  Reporter reporter;
  Memory memory;
  Emitter emit;
  Semantics semantics;
  ConstexprOps constexprOps;
  Frame *frame = nullptr;
  bool recordsNames = false;
  std::deque<Scope> scopes; ///< of calls whose lambdas may outlive them
  LoopHints conditionHints; ///< of the `tl.condition` evaluated last
  /// The first name without a value that was evaluated, quietly or not, since this was cleared: its path from
  /// the top, with `()` where it is called.
  std::string asked;

protected:
  /// `functions` is the language: what names of its modules, of tensors and of Python mean.
  Evaluation(mlir::MLIRContext *context, const FunctionTable &functions, const Unit &user,
             const KernelSpec &spec, DiagnosticEngine &diagnostics);
  ~Evaluation() = default;

private:
  unsigned depth = 0;
};

} // namespace tegula::eval
