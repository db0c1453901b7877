// The partial evaluator: walks the syntax tree of a kernel; what is known at compile time is computed,
// the rest becomes tile IR.
//
// Two modes share one walk. In a kernel (Kernel) an assigned number becomes a run-time scalar and the
// module's variables are mostly out of reach, as the language has it; in code that Python would run
// before a kernel exists (Host: module-level constants, defaults, constexpr functions) everything is a
// Python value.
#pragma once

#include "compiler/frontend/eval/Aggregates.h"
#include "compiler/frontend/eval/FunctionTable.h"
#include "compiler/frontend/tracing/Semantics.h"
#include "compiler/frontend/values/ConstexprOps.h"
#include "compiler/frontend/values/Memory.h"
#include "compiler/frontend/values/Scope.h"

#include <deque>
#include <map>
#include <optional>
#include <set>

namespace tegula::eval {

class BoundNames;
class Globals;
struct Arguments;

enum class Mode : uint8_t { Kernel, Host };

/// Effect of a statement on those after it.
enum class Flow : uint8_t { Next, Return, Break, Continue };

/// The statements that follow the one at work, from the inside out: what a branch has to run through when
/// its other side returns.
struct Continuation {
  ast::Block rest;
  const Continuation *outer;
};

/// One function call, or the evaluation of one expression of a module.
struct Frame {
  const Unit *unit;
  Mode mode;
  Scope *scope;
  Scope *around = nullptr; ///< in a comprehension, which has a scope of its own: that of what it stands in
  const ast::FunctionStmt *function = nullptr; ///< null at module level
  const Arguments *arguments = nullptr;        ///< of the call; null where the host made it
  const Construction *construction = nullptr;  ///< in the `__init__` of an aggregate
  Frame *parent = nullptr;
  Activation activation;
  Value returned = None();
  SourceRange returnRange; ///< of the `return` that gave it; empty where the end was reached
  /// Names that `name: tl.constexpr` has declared and nothing has assigned yet.
  llvm::SmallVector<std::string_view, 0> declared = {};
  unsigned loops = 0; ///< loops around the statement, unrolled or not, within this call
  const Continuation *continuation = nullptr;
};

/// An argument of a call with its place.
struct Argument {
  Value value;
  SourceRange range;
  bool given = false;
};
/// The places in `object[index]`, for messages.
struct SubscriptPlace {
  SourceRange whole, object, index;
};
struct Arguments {
  llvm::SmallVector<Argument, 8> positional;
  llvm::SmallVector<std::pair<std::string_view, Argument>, 4> keywords;
};

class Evaluator {
public:
  /// `functions` is the language: what names of its modules, of tensors and of Python mean.
  Evaluator(mlir::MLIRContext *context, const FunctionTable &functions, const Unit &user,
            const KernelSpec &spec, DiagnosticEngine &diagnostics);
  ~Evaluator();

  /// Evaluates the body of `kernel` at the builder's insertion point, its parameters bound in `scope`.
  void run(const ast::FunctionStmt *kernel, Scope &scope);

  // Expressions.
  Value eval(const ast::Expr *expr);
  /// As Python: in Host mode at the top of `unit`, so that its variables may be read.
  Value evalHost(const ast::Expr *expr, const Unit &unit, Scope *scope = nullptr);
  Value attribute(const Value &object, std::string_view name, SourceRange range);
  /// Absent, without a report, where there is no such attribute.
  std::optional<Value> findAttribute(const Value &object, std::string_view name, SourceRange range);
  /// Adds an attribute to a module of the language or of a file. False for any other object.
  bool setAttribute(const Value &object, std::string_view name, const Value &value);
  Value binary(ast::BinaryOp op, const Value &left, const Value &right, SourceRange range);
  Value unary(ast::UnaryOp op, const Value &operand, SourceRange range);
  Value compare(ast::CompareOp op, const Value &left, const Value &right, SourceRange range);
  Value subscript(const Value &object, const Value &index, const SubscriptPlace &place);
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

  // Calls.
  Value call(const Value &callee, const Arguments &arguments, SourceRange range, SourceRange calleeRange);
  Value callFunction(const Function &function, const Arguments &arguments, SourceRange range);
  /// The same with plain values, for builtins that take functions.
  Value call(const Value &callee, llvm::ArrayRef<Value> arguments, SourceRange range);

  // Names without a value, in EvaluatorUnknown.cpp.
  /// False, after a report, where `value` is one: whatever looks at what a value is asks this first.
  bool hasValue(const Value &value, SourceRange range);
  /// The same for what looks into tuples and dicts.
  bool isKnownThroughout(const Value &value, SourceRange range);
  Diagnostic &reportUnknown(const UnknownOrigin &origin, SourceRange range);
  std::string helpToChoose(const UnknownOrigin &origin);

  /// The aggregate that `type` is the class of, or null.
  const AggregateClass *aggregateClass(const Value &type);
  /// A value as `object`, an aggregate, with `changes` of its fields.
  Value replaceFields(const Value &object, llvm::ArrayRef<std::pair<std::string_view, Argument>> changes,
                      SourceRange range);

  /// `tl.constexpr_type(value)`: the type of a value known at compile time, which tells the value.
  Value typeOfKnown(const Value &value, SourceRange range);

  /// Returns the value that the specification gives the parameter `name`; messages about it are at `range`.
  Value known(const BoundValue &value, std::string_view name, SourceRange range);

  // Modules, in EvaluatorImport.cpp.
  /// Evaluates `import path` with `level` leading dots in `unit`: a module of the language or a file. Nothing
  /// where there is none; Poison, after a report, where there is one that cannot be read.
  std::optional<Value> importModule(const Unit &unit, uint32_t level, std::string_view path,
                                    SourceRange range);
  /// Returns the value that a file binds to `name`, or the module of that name in its package.
  std::optional<Value> fileAttribute(const FileModule &module, std::string_view name, SourceRange range);
  /// Returns the value given for `path`, "pkg.utils.IS_AMD", which overrides that module's.
  std::optional<Value> givenValue(std::string_view path);
  /// Returns a variable of the environment, as the loader of the program's files knows it.
  EnvironmentVariable environmentVariable(const std::string &name) const;
  std::optional<Value> moduleAttribute(const ModuleRef &module, std::string_view name);
  Value readGlobal(const Unit &unit, std::string_view name, SourceRange range);
  /// Returns true if the current code may read `value` from the scopes around it: a kernel reads plain values
  /// only where they are constants.
  bool mayRead(const Value &value) const;
  Globals &globalsOf(const Unit &unit);

  /// Sets the place of ops made from now on.
  void at(SourceRange range) { emit.loc = reporter.locate(range); }
  /// False, after a report, where a limit has been reached.
  bool step(SourceRange range);

  const FunctionTable &functions;
  const KernelSpec &spec;
  const LanguageVersion &language; ///< what the version that `spec` names means otherwise than others
  Reporter reporter;
  Memory memory;
  Emitter emit;
  Semantics semantics;
  ConstexprOps constexprOps;
  Frame *frame = nullptr;
  LoopHints conditionHints; ///< of the `tl.condition` evaluated last
  /// The first name without a value that was evaluated, quietly or not, since this was cleared: its path from
  /// the top, with `()` where it is called.
  std::string asked;

private:
  friend class BoundNames;
  friend class Globals;

  // EvaluatorImport.cpp
  std::optional<Value> readableAttribute(const FileModule &module, std::string_view name, SourceRange range);
  std::optional<Value> givenAttribute(const UnknownOrigin &origin, std::string_view name, SourceRange range);
  std::optional<Value> givenResult(const Value &callee);
  std::string circleTo(const Unit &unit) const;

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
  Value evalFString(const ast::FStringExpr &expr);
  Value evalAttribute(const ast::AttributeExpr &expr);
  bool isShadowed(const ast::AttributeExpr &expr, const Value &object);
  Value evalWalrus(const ast::WalrusExpr &expr);
  std::optional<Value> findGlobal(const Unit &unit, std::string_view name, SourceRange range);
  Value undefinedName(std::string_view name, SourceRange range);
  Value unsupported(const ast::Expr &expr);
  Value combine(const Value &result, const Value &left, const Value &right);

  // EvaluatorComprehension.cpp
  Value evalComprehension(const ast::ComprehensionExpr &expr);
  bool evalClauses(const ast::ComprehensionExpr &expr, size_t index, llvm::SmallVectorImpl<Value> &keys,
                   llvm::SmallVectorImpl<Value> &values);

  // EvaluatorSubscript.cpp
  Value evalSubscript(const ast::SubscriptExpr &expr);
  Value evalIndex(const ast::Expr *expr);
  Value subscriptTensor(const Tensor &tensor, const Value &index, const SubscriptPlace &place);
  Value subscriptPointer(const SubscriptPlace &place);
  Value subscriptSequence(const Value &sequence, const Value &index, SourceRange range);
  Value subscriptDict(const Dict &dict, const Value &index, SourceRange range);

  // EvaluatorAttribute.cpp
  std::optional<Value> tensorAttribute(const Tensor &tensor, std::string_view name, SourceRange range);
  /// A jit function of a class, or a constant of one that code at work may read.
  std::optional<Value> classAttribute(const UnknownOrigin &type, std::string_view name, SourceRange range);
  Value unknownAttribute(const Value &object, std::string_view name, SourceRange range);
  std::optional<Value> method(const Value &object, std::string_view name, uint32_t home);
  std::optional<Value> libraryFunction(std::string_view name, ModuleId home, bool asMethod);

  // AggregateOperators.cpp
  /// Calls a function of the aggregate `self` with `others`; nothing where there is none of that name, or it
  /// returns `NotImplemented`.
  std::optional<Value> callOperator(std::string_view name, const Value &self, llvm::ArrayRef<Value> others,
                                    SourceRange range);
  /// The same by the left operand's function, else by the right one's.
  std::optional<Value> operatorOf(std::string_view plain, std::string_view reflected, const Value &left,
                                  const Value &right, SourceRange range);
  Value refuseOperator(std::string_view spelling, std::string_view name, const Value &left,
                       const Value &right, SourceRange range);
  /// Nothing where no operand is an aggregate.
  std::optional<Value> aggregateBinary(ast::BinaryOp op, const Value &left, const Value &right,
                                       SourceRange range);
  /// The same; also for comparisons that need no function.
  std::optional<Value> aggregateCompare(ast::CompareOp op, const Value &left, const Value &right,
                                        SourceRange range);
  std::optional<Value> aggregateUnary(ast::UnaryOp op, const Value &operand, SourceRange range);
  Value aggregateLogical(ast::BoolOp op, const Value &left, const Value &right, SourceRange range);

  // TypeAttributes.cpp
  std::optional<Value> typeAttribute(const TypeValue &type, std::string_view name, SourceRange range);
  std::optional<Value> partOfDtypeClass(std::string_view name, SourceRange range);

  // Aggregates.cpp
  Value construct(const AggregateClass &made, const Arguments &arguments, SourceRange range);
  Value fillFields(const AggregateClass &made, const Arguments &arguments, SourceRange range);
  bool fits(const AggregateClass &made, const AggregateField &field, const Value &value, SourceRange range);
  void assignAttribute(const ast::AttributeExpr &target, const Value &value, SourceRange valueRange);
  bool mayAssignTo(const ast::AttributeExpr &target) const;
  void replaceObject(const Tuple &before, const Value &after);
  /// Returns true if `value` is an aggregate that a function of its class may change.
  bool changesItself(const Value &value) const;
  /// Returns true if it belongs to the class of an aggregate: then it runs as Python, with run-time values
  /// too.
  bool isOfAggregate(const Function &function) const;
  std::optional<Value> aggregateAttribute(const Value &object, std::string_view name);

  // EvaluatorCall.cpp
  /// Reports a call whose result nothing takes although `callee` says that something should.
  void checkUsed(const Value &callee, const ast::CallExpr &expr);
  Value evalCall(const ast::CallExpr &expr);
  bool evalArguments(std::span<const ast::Argument> arguments, Arguments &out);
  bool spread(const ast::Argument &argument, const Value &value, Arguments &out);
  Value callBuiltin(const BuiltinRef &ref, const Arguments &arguments, SourceRange range);
  Value callLambda(const Lambda &lambda, const Arguments &arguments, SourceRange range);
  bool bind(ast::Parameters parameters, const Arguments &arguments, const Unit &unit,
            const std::string &callee, SourceRange range, Scope &scope);
  Value bindDefault(const ast::Parameter &parameter, const Unit &unit, const std::string &callee,
                    SourceRange range);
  bool checkCall(const Function &function, const Arguments &arguments, SourceRange range);
  /// Returns true if it computes constants from constants: its decorators say so, under whatever name.
  bool runsAsPython(const Function &function);
  /// False, after a report, where calls would go in circles or nest too deep.
  bool enterCall(const ast::FunctionStmt &definition, const Unit &unit, SourceRange range,
                 const Arguments *arguments = nullptr);
  Value execBody(Frame &callee);

  // EvaluatorStmt.cpp
  Flow exec(const ast::Stmt *stmt);
  Flow execBlock(ast::Block block);
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
  void assign(const ast::Expr *target, const Value &value, SourceRange valueRange);
  void assignConstant(const ast::NameExpr &name, const Value &given, SourceRange valueRange);
  /// Assigns `value` where names among the targets have been declared `constexpr` without a value.
  void assignDeclared(const ast::Expr *target, const Value &value, SourceRange valueRange);
  void assignSequence(ast::ExprList targets, const Value &value, SourceRange targetRange,
                      SourceRange valueRange);
  void assignName(std::string_view name, SourceRange range, const Value &value, bool isConstexpr = false);
  Flow unsupported(const ast::Stmt &stmt);

  // EvaluatorControl.cpp
  /// A condition: known, or an i1 scalar; both where a variable holds a constant.
  struct Condition {
    std::optional<bool> known;
    mlir::Value runtime;
  };
  Flow execIf(const ast::IfStmt &stmt, size_t index = 0);
  Flow execFor(const ast::ForStmt &stmt);
  Flow execWhile(const ast::WhileStmt &stmt);
  Flow unroll(const ast::ForStmt &stmt, llvm::ArrayRef<Value> items);
  std::optional<Condition> evalCondition(const ast::Expr *expr);
  std::optional<bool> condition(const Value &value, SourceRange range, std::string_view what);
  /// Makes all names that `block` binds Poison.
  void poison(ast::Block block);

  // EvaluatorBranch.cpp
  struct Side;
  Value branch(const ast::ConditionalExpr &expr, mlir::Value condition);
  Flow branch(const ast::IfStmt &stmt, size_t index, mlir::Value condition);
  void runSide(Side &side, llvm::function_ref<void(Side &)> body);
  Flow runContinuation(const Continuation *continuation);
  /// The one value that both sides have; Poison where they do not go together; nothing where the branch
  /// has to yield it.
  std::optional<Value> mergeSides(Value &a, Value &b, Side &first, Side &second);
  void decayUnlike(Value &a, Value &b, Side &first, Side &second);
  Value mergeValues(mlir::Value condition, SourceRange range, Side &first, Side &second,
                    std::string_view what);
  void mergeBindings(mlir::Value condition, SourceRange range, Side &first, Side &second);
  llvm::SmallVector<mlir::Value> finishBranch(mlir::Value condition, SourceRange range, Side &first,
                                              Side &second, llvm::ArrayRef<mlir::Value> a,
                                              llvm::ArrayRef<mlir::Value> b);

  // EvaluatorLoop.cpp
  struct Loop;
  Flow loop(const ast::ForStmt &stmt, const Value &iterable);
  Flow loop(const ast::WhileStmt &stmt);
  Flow loopBody(ast::Block body);
  void setHints(mlir::Operation *op, const LoopHints &hints);
  void enterLoop(ast::Block body, const ast::Expr *target, Loop &loop);
  void setCarried(const Loop &loop, mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> yieldedValues(const Loop &loop, mlir::ValueRange incoming);
  void leaveLoop(Loop &loop, mlir::ValueRange results);

  /// Counts nested walks while it lives; `ok` is false past the limit.
  class Depth {
  public:
    Depth(Evaluator &evaluator, SourceRange range);
    ~Depth() { --evaluator.depth; }
    Depth(const Depth &) = delete;
    Depth &operator=(const Depth &) = delete;
    bool ok;

  private:
    Evaluator &evaluator;
  };

  const Unit &user;                          ///< with the kernel
  const ast::CallExpr *unusedCall = nullptr; ///< the statement at work, where it is a call and nothing else
  unsigned depth = 0;
  std::deque<Scope> scopes; ///< of calls whose lambdas may outlive them
  std::deque<std::pair<const Unit *, std::unique_ptr<Globals>>> globals;
  std::unique_ptr<BoundNames> bound;
  std::map<const ast::ClassStmt *, std::unique_ptr<AggregateClass>> aggregates; ///< null of other classes
  /// Attributes that files have added to modules, by the module's own address or number and the name.
  std::map<std::pair<uintptr_t, std::string>, Value> added;
  std::map<const ast::FunctionStmt *, bool> hosts; ///< what `runsAsPython` has found out
  /// Names that nothing binds, each with the function that reads it.
  std::set<std::pair<const ast::FunctionStmt *, std::string>> undefined;
};

/// True for an annotation that says `constexpr` (or `const`): the name, an attribute of that name, or a
/// string that ends in it.
bool annotationNames(const ast::Expr *annotation, std::string_view name);

/// True for `name` and `name.attribute.attribute`.
bool isPath(const ast::Expr *expr);

/// "`f`", "tl.sum", "libdevice.hypot": how messages call a function.
std::string qualifiedName(const Unit &unit, const ast::FunctionStmt &function);

/// Returns true if `function` is decorated to run at compile time on compile-time values.
bool isConstexprFunction(const ast::FunctionStmt &function);

} // namespace tegula::eval
