// One call of a builtin: its arguments bound to parameters, with checked access to each.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

/// Returns the name of `builtin` for messages: the function of the library that the user called, if that
/// called it.
std::string calledName(const Evaluation &evaluator, const Builtin &builtin);

/// The arguments of a handler. Arguments are numbered as in the signature; those after `*name` are in `rest`.
/// The accessors report an argument of the wrong kind and then return nothing.
class Call {
public:
  Call(Evaluation &evaluator, const Builtin &builtin, SourceRange range)
      : evaluator(evaluator), emit(evaluator.emit), semantics(evaluator.semantics),
        reporter(evaluator.reporter), builtin(builtin), range(range) {}

  bool given(size_t index) const { return arguments[index].given && !arguments[index].value.isNone(); }
  const Value &value(size_t index) const { return arguments[index].value; }
  SourceRange rangeOf(size_t index) const { return arguments[index].given ? arguments[index].range : range; }

  /// Returns where the value of an argument stands, without the name that it is given by.
  SourceRange valueRange(size_t index) const;
  /// Returns where the name of what is called stands.
  SourceRange calleeRange() const;

  /// A number or tensor as a run-time value.
  std::optional<Tensor> tensor(size_t index);
  /// A list of them, broadcast to one shape.
  std::optional<llvm::SmallVector<Tensor>> tensors(size_t index);
  /// An integer known at compile time.
  std::optional<Int> integer(size_t index);
  /// A tuple or list of them, or a single one. With `scattered`, the arguments in `rest` instead, which may
  /// also be one tuple.
  std::optional<llvm::SmallVector<Int, 8>> integers(size_t index);
  std::optional<llvm::SmallVector<Int, 8>> integersFromRest();
  /// The items of the sequences in `rest` side by side, as far as the shortest reaches; nothing after a
  /// report.
  std::optional<std::vector<llvm::SmallVector<Value, 4>>> rowsFromRest();
  /// The axis that `number`, argument `index`, means among `rank`: from the end where it is negative.
  std::optional<unsigned> axis(size_t index, Int number, size_t rank);
  std::optional<bool> flag(size_t index, bool whenAbsent);
  std::optional<std::string_view> text(size_t index, std::string_view whenAbsent);
  std::optional<Dtype> dtype(size_t index);
  std::optional<NanPolicy> nanPolicy(size_t index);

  /// Returns the properties of the version of the language.
  const LanguageVersion &language() const { return evaluator.language; }

  /// Reports at the whole call, "`tl.name`: MESSAGE".
  Value error(std::string message);
  /// The same at one argument.
  Value errorAt(size_t index, std::string message);
  /// The same where no value of the device will do.
  void errorOfKind(size_t index, std::string message);
  Diagnostic &report(SourceRange place, std::string message);

  Evaluation &evaluator;
  Emitter &emit;
  Semantics &semantics;
  Reporter &reporter;
  const Builtin &builtin;
  SourceRange range;
  bool isMethod = false; ///< called as `x.name(...)`; x is argument 0
  llvm::SmallVector<Argument, 8> arguments;
  llvm::SmallVector<Argument, 4> rest;
  llvm::SmallVector<std::pair<std::string_view, Argument>, 0> keywords; ///< those that `**name` takes

private:
  std::optional<Int> integer(const Value &value, SourceRange place);
  std::optional<llvm::SmallVector<Int, 8>> integers(const Value &value, SourceRange place);
};

/// Calls `ref` with `arguments`, once they fit its parameters and have values.
Value callBuiltin(Evaluation &evaluator, const BuiltinRef &ref, const Arguments &arguments,
                  SourceRange range);

} // namespace tegula::eval
