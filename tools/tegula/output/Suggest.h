// "did you mean": the known name nearest to one that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// "; did you mean `name`?" with the nearest of `known`, or nothing when none is near: more than a third
/// of the name's characters wrong is another name.
std::string didYouMean(std::string_view name, const std::vector<std::string> &known);

} // namespace tegula::cli
