// Tuples that a launch hands to a kernel: how they are written in a signature, and the parameters by which a
// launch passes what they hold. What is known of one when compiling is a `bound::Tuple`, in which
// `bound::Passed` stands for what is not.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <utility>

namespace tegula {

/// A parameter that is a tuple, as a signature spells it: "(*fp32:16, i32)", or with names
/// "Point(x=*fp32:16, n=i32)". An item is a type, a descriptor's too, or a tuple.
struct TupleType {
  BoundValue value;
  /// Parameters that launches pass, by the names of `passedParameters`; of a descriptor its base alone.
  std::vector<std::pair<std::string, ArgSpec>> passed;
};

/// Tuples deeper than this are no argument of any kernel.
inline constexpr int maxPassedDepth = 16;

/// Returns true if `text` is meant to be such a type.
bool looksLikeTuple(std::string_view text);
/// Parses the type of the parameter `name`. On failure the string says what is wrong.
std::variant<TupleType, std::string> parseTupleType(std::string_view name, std::string_view text);

/// The text before the items of a tuple, a name or empty, and its items as they are written, without blanks
/// around them; nothing where `text` is no tuple. Brackets of any kind hold commas together.
struct TupleText {
  std::string_view type;
  std::vector<std::string_view> items;
};
std::optional<TupleText> splitTuple(std::string_view text);
/// "x" and "i32" of "x=i32": the name of a field and what belongs to it; nothing where no name is in front.
std::optional<std::pair<std::string_view, std::string_view>> splitField(std::string_view item);

/// The parameter by which a launch passes item `index` of the tuple `name`: "t[1]", "t[1][0]".
std::string itemName(std::string_view name, size_t index);

/// A parameter by which a launch passes a part of another.
struct PassedParameter {
  std::string name;
  std::optional<RuntimeArg> type; ///< where it is one whatever is passed
};
/// Those of the parameter `name` whose value is `value`, in order: one for each passed item of a tuple, and
/// those of a descriptor, wherever they stand; empty for every other value.
std::vector<PassedParameter> passedParameters(std::string_view name, const BoundValue &value);

/// The parameter that `name` is passed for: "t" of "t[1]" and of "t[0].base"; empty where it is a whole one.
std::string_view parameterOf(std::string_view name);

} // namespace tegula
