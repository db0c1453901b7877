#include "tools/tegula/debug/Expectation.h"

#include "dialect/tile/Tile.h"
#include "tools/tegula/arguments/Arguments.h"
#include "tools/tegula/arguments/Generators.h"
#include "tools/tegula/arguments/RunArguments.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tegula::cli {

using runtime::Result;

namespace {

struct ExpectText {
  std::string name, value;
  std::optional<double> absolute, relative;
};

/// "out=@ref.npy,atol=1e-3" or "out=zeros:fp32[8,8],rtol=1e-2": the tolerances stand behind the last commas.
Result<ExpectText> parseExpectation(const std::string &text) {
  ExpectText made;
  auto [name, value] = TRY(splitAssignment(text, "--expect"));
  made.name = name;
  for (size_t comma; (comma = value.rfind(',')) != std::string::npos;) {
    const std::string last(trim(std::string_view(value).substr(comma + 1)));
    const size_t equals = last.find('=');
    if (equals == std::string::npos)
      break;
    const std::string which = last.substr(0, equals), text = last.substr(equals + 1);
    if (which != "atol" && which != "rtol")
      return usageError(fmt::format(
          "expected `atol=` or `rtol=` behind the array of `--expect {}`, found `{}`", made.name, last));
    const Result<HostValue> number = parseNumber(text);
    const double tolerance = number ? number->asDouble() : -1;
    if (!(tolerance >= 0))
      return usageError(
          fmt::format("expected a number that is not negative behind `{}=`, found `{}`", which, text));
    (which == "atol" ? made.absolute : made.relative) = tolerance;
    value.resize(comma);
  }
  made.value = value;
  return made;
}

/// Units in the last place of 1, for each float type.
double lastPlace(ScalarKind type) { return std::ldexp(1, 1 - precisionOf(type)); }

/// A sum of some thousand terms, added up in another order and partly fused, and functions that devices
/// approximate: units in the last place of fp32 and fp64.
constexpr double orderOfSums = 64;

/// Returns units in the last place of 1 of the coarsest factors that are multiplied as matrices: a kernel
/// may have rounded them, and tf32 does. 0 where there are no such factors.
double lastPlaceOfFactors(mlir::func::FuncOp kernel) {
  double coarsest = 0;
  kernel.walk([&](tile::DotOp dot) {
    const mlir::Type type = mlir::getElementTypeOrSelf(dot.getA());
    if (type.isF32() && dot.getPrecision() == tile::InputPrecision::TF32)
      coarsest = std::max(coarsest, lastPlace(ScalarKind::Float16)); // which has as many digits
    else if (auto real = mlir::dyn_cast<mlir::FloatType>(type); real && real.getWidth() < 32)
      coarsest = std::max(coarsest, std::ldexp(1, 1 - int(real.getFPMantissaWidth())));
  });
  return coarsest;
}

/// Returns the root mean square of the elements that are finite; 0 where there are none.
double typicalSize(const debug::Expected &array) {
  double sum = 0;
  uint64_t count = 0;
  for (uint64_t i = 0; i < array.array.elements(); ++i)
    if (const double size = array.at(i).real; std::isfinite(size)) {
      sum += size * size;
      ++count;
    }
  return count ? std::sqrt(sum / double(count)) : 0;
}

/// Returns the relative tolerance for results of a type where the command line has none; 0 for integers.
double relativeTolerance(ScalarKind type, mlir::func::FuncOp kernel) {
  if (!isFloatKind(type))
    return 0;
  // Each of two results is rounded by half a unit, and so is what it is made of.
  constexpr double narrow = 2;
  const bool isWide = type == ScalarKind::Float32 || type == ScalarKind::Float64;
  return std::max((isWide ? orderOfSums : narrow) * lastPlace(type), narrow * lastPlaceOfFactors(kernel));
}

debug::Tolerance toleranceOf(const ExpectText &said, const debug::Expected &one, mlir::func::FuncOp kernel) {
  const double usual =
      std::max(relativeTolerance(one.array.type, kernel), relativeTolerance(one.type, kernel));
  const double relative = said.relative.value_or(usual);
  return {said.absolute ? *said.absolute : isFloatKind(one.type) ? relative * typicalSize(one) : 0, relative};
}

} // namespace

debug::Tolerance roundingOf(ScalarKind type, double magnitude) {
  if (!isFloatKind(type))
    return {};
  // Matrix units take operands of fp32 with ten digits.
  constexpr double tf32 = 1.0 / 256;
  const double usual = type == ScalarKind::Float32   ? tf32
                       : type == ScalarKind::Float64 ? orderOfSums * lastPlace(ScalarKind::Float64)
                                                     : 4 * lastPlace(type);
  return {usual * magnitude, usual};
}

Result<void> bindExpectations(const std::vector<std::string> &texts, const std::vector<debug::Array> &arrays,
                              mlir::func::FuncOp kernel, std::vector<debug::Expected> &expected) {
  for (const std::string &text : texts) {
    ExpectText said = TRY(parseExpectation(text));
    const auto array =
        std::find_if(arrays.begin(), arrays.end(), [&](const auto &one) { return one.name == said.name; });
    if (array == arrays.end()) {
      std::vector<std::string> names;
      for (const debug::Array &one : arrays)
        names.push_back(one.name);
      return usageError(fmt::format("`{}` after `--expect` is no array argument{}", said.name,
                                    didYouMean(said.name, names)));
    }
    ParsedArgument argument = TRY(parseArgument(said.name + "=" + said.value));
    auto *made = std::get_if<ArrayArgument>(&argument.value);
    if (!made || argument.blocks)
      return usageError(fmt::format("expected an array for `--expect {}`, such as `@ref.npy`, found `{}`",
                                    said.name, said.value));
    std::vector<std::byte> data = TRY(contentsOf(*made, said.name, 0));
    // NumPy has no bf16 and no fp8: words are taken for them.
    ScalarKind type = *made->type;
    if (!isFloatKind(type) && isFloatKind(array->type) && scalarKindBytes(type) < 4 &&
        scalarKindBytes(type) == scalarKindBytes(array->type))
      type = array->type;
    if (isFloatKind(type) != isFloatKind(array->type) || made->shape != array->shape)
      return usageError(fmt::format("expected {}{} for `--expect {}`, as the argument is, found {}{}",
                                    scalarKindName(array->type), formatShape(array->shape), said.name,
                                    scalarKindName(*made->type), formatShape(made->shape)));
    debug::Expected one{*array, type, std::move(data)};
    one.tolerance = toleranceOf(said, one, kernel);
    one.isGiven = true;
    std::erase_if(expected, [&](const auto &other) { return other.array.name == said.name; });
    expected.push_back(std::move(one));
  }
  for (debug::Expected &one : expected)
    for (const debug::Array &array : arrays)
      if (array.name == one.array.name)
        one.array.address = array.address;
  return {};
}

} // namespace tegula::cli
