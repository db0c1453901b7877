// Attributes of values: of tensors, types, numbers, texts, tuples and the like.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

/// Returns the attribute `name` of `object`, which is neither a module nor of a class; absent, without a
/// report, where it has none.
std::optional<Value> attributeOf(Evaluation &evaluator, const Value &object, std::string_view name,
                                 SourceRange range);
/// Returns the function `name` of the language, of those in `home`, with `object` as its first argument.
std::optional<Value> method(Evaluation &evaluator, const Value &object, std::string_view name, Home home);

// TypeAttributes.cpp
std::optional<Value> typeAttribute(Evaluation &evaluator, const TypeValue &type, std::string_view name,
                                   SourceRange range);
/// Returns attributes of `tl.dtype` itself: which types there are, and the names of their kinds.
std::optional<Value> partOfDtypeClass(Memory &memory, std::string_view name, SourceRange range);
/// `tl.constexpr_type(value)`: the type of a value known at compile time, which tells the value.
Value typeOfKnown(Evaluation &evaluator, const Value &value, SourceRange range);

} // namespace tegula::eval
