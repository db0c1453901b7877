// The functions of the language in one table. Those that are implemented in C++ come from tables by subject,
// each made of the `.pyi` next to its handlers, for which this has what they take. Functions that are easier
// written in the language itself are in `library/`.
#pragma once

#include "compiler/frontend/eval/FunctionTable.h"
#include "compiler/frontend/eval/calls/Call.h"

#include <span>
#include <tuple>

namespace tegula::eval {

using Integers = llvm::SmallVector<Int, 8>;

/// Argument `index` as a handler's parameter of type `T` takes it; nothing after a report. A truth that is
/// not given is false, and a text empty.
template <typename T> std::optional<T> argumentAs(Call &call, size_t index) {
  if constexpr (std::is_same_v<T, Tensor>)
    return call.tensor(index);
  else if constexpr (std::is_same_v<T, Int>)
    return call.integer(index);
  else if constexpr (std::is_same_v<T, Integers>)
    return call.builtin.parameters[index].rest ? call.integersFromRest() : call.integers(index);
  else if constexpr (std::is_same_v<T, bool>)
    return call.flag(index, false);
  else if constexpr (std::is_same_v<T, llvm::StringRef>)
    return call.text(index, "");
  else if constexpr (std::is_same_v<T, Dtype>)
    return call.dtype(index);
  else if constexpr (std::is_same_v<T, NanPolicy>)
    return call.nanPolicy(index);
  else if constexpr (std::is_same_v<T, llvm::ArrayRef<Value>>)
    return call.evaluator.iterate(call.value(index), call.rangeOf(index));
  else if constexpr (std::is_same_v<T, Value>)
    return call.value(index);
  else // what methods are called on
    return *call.value(index).as<T>();
}

/// A function of the call and of its arguments, as far as it asks for them: these are converted in their
/// order, and the function is called where all could be.
template <auto function> struct TypedHandler;
template <typename... Parameters, Value (*function)(Call &, Parameters...)> struct TypedHandler<function> {
  static Value handle(Call &call) {
    auto convert = [&]<size_t... index>(std::index_sequence<index...>) {
      std::tuple<std::optional<std::decay_t<Parameters>>...> arguments{
          argumentAs<std::decay_t<Parameters>>(call, index)...};
      const bool areAll = (std::get<index>(arguments).has_value() && ...);
      return areAll ? function(call, *std::get<index>(arguments)...) : Value(Poison());
    };
    return convert(std::index_sequence_for<Parameters...>());
  }
};
template <auto function> constexpr Handler handlerOf = TypedHandler<function>::handle;

/// Every function of the language; made once a process, at the first call.
const FunctionTable &languageFunctions();

} // namespace tegula::eval
