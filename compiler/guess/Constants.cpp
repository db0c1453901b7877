#include "compiler/guess/Constants.h"

#include "compiler/driver/ParsedSource.h"
#include "compiler/guess/NameHints.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <array>

namespace tegula::guess {
namespace {

Choice whole(int64_t value) { return {BoundValue{value}}; }
Choice real(double value) { return {BoundValue{value}}; }
Choice truth(bool value) { return {BoundValue{value}}; }
Choice text(std::string value) { return {BoundValue{std::move(value)}}; }
Choice type(ScalarKind kind) { return {BoundValue{bound::Dtype{kind}}}; }

/// A number, and the sizes that it may have instead.
Guess size(int64_t value) {
  Guess guess{whole(value)};
  for (int64_t other : {64, 32, 16, 128, 1, 256})
    if (other != value)
      guess.others.push_back(whole(other));
  for (Choice other : {truth(true), text(""), type(ScalarKind::Float32)})
    guess.others.push_back(std::move(other));
  return guess;
}

/// Numbers of compile-time parameters, by a part of the name.
constexpr std::pair<std::string_view, int64_t> knownNumbers[] = {
    {"axis", 0},    {"num_warps", 4}, {"stages", 3}, {"group_m", 8}, {"group_size_m", 8},
    {"split_k", 1}, {"split", 4},     {"bits", 4},   {"stride", 64}};

bool isLimitOfType(std::string_view name) {
  constexpr std::array<std::string_view, 5> types = {"fp8", "int8", "e4m3", "quant", "dtype"};
  return (hasWord(name, "max") || hasWord(name, "min")) &&
         llvm::any_of(types, [&](std::string_view type) { return hasPart(name, type); });
}

} // namespace

Constants::Constants(const ParsedSource &source, const KernelInfo &kernel, const Seen &seen,
                     const Types &types)
    : source(source), kernel(kernel), seen(seen), types(types) {
  for (unsigned i = 0; i < kernel.parameters.size(); ++i) {
    const ParameterInfo &parameter = kernel.parameters[i];
    blocks += parameter.isConstexpr && (seen.parameters[i].has(Use::Range) || looksLikeBlock(parameter.name));
  }
}

Guess Constants::function() const {
  // Any function of the file that returns something, else one of the language.
  std::vector<Choice> choices;
  for (const ast::JitFunction &one : ast::jitFunctions(source.module()))
    if (one.name != kernel.name && one.function->parameters.size() == 1 && !one.isNested)
      choices.push_back({BoundValue{bound::Function{.source = 0, .name = one.name}}});
  choices.push_back({BoundValue{bound::Language{"triton.language.exp"}}});
  choices.push_back({BoundValue{bound::Language{"triton.language.maximum"}}});
  return {choices.front(), {choices.begin() + 1, choices.end()}};
}

Guess Constants::block(const std::string &name, const Evidence &evidence) const {
  constexpr int64_t ofVectors = 1024, ofMatrices = 32, ofProducts = 64, ofMany = 8;
  if (types.hasDescriptors() || seen.hasDot) {
    const bool isDepth = blocks > 2 && llvm::StringRef(name).ends_with_insensitive("k");
    return size(isDepth && !types.hasDescriptors() ? ofMatrices : ofProducts);
  }
  const bool isOfBoth = evidence.isOfRows && evidence.isOfColumns;
  return size(blocks > 2 ? ofMany : blocks == 2 || isOfBoth ? ofMatrices : ofVectors);
}

/// Guesses a value by a use that leaves no doubt.
std::optional<Guess> Constants::special(unsigned parameter) const {
  const Evidence &evidence = seen.parameters[parameter];
  const std::string &name = kernel.parameters[parameter].name;
  if (evidence.isCalled)
    return function();
  if (evidence.isTuple) {
    const size_t items = std::max(evidence.items, 2u);
    return Guess{{BoundValue{bound::Tuple{.items = std::vector<BoundValue>(items, BoundValue{int64_t(16)})}}},
                 {}};
  }
  if (isLimitOfType(name)) {
    constexpr double largest = 448; // of fp8e4nv
    return Guess{real(hasWord(name, "min") ? -largest : largest), {}};
  }
  if (evidence.has(Use::DtypeArgument) || evidence.has(Use::ComparedDtype) || looksLikeDtype(name)) {
    if (llvm::StringRef(name).starts_with_insensitive("i") && hasPart(name, "int"))
      return Guess{type(ScalarKind::Int32), {type(ScalarKind::Int64)}};
    return Guess{type(types.defaultFloat()),
                 {type(ScalarKind::Float32), type(ScalarKind::Float16), type(ScalarKind::Int32)}};
  }
  if (evidence.has(Use::Text)) {
    Guess guess{text(*evidence.texts.begin()), {}};
    for (const std::string &other : llvm::drop_begin(evidence.texts))
      guess.others.push_back(text(other));
    return guess;
  }
  if (hasPart(name, "message") || hasWord(name, "msg"))
    return Guess{text("x"), {}};
  if (evidence.has(Use::Precision) || hasPart(name, "precision"))
    return Guess{text("ieee"), {text("tf32")}};
  if (evidence.has(Use::Modifier) || hasPart(name, "cache_mod") || hasPart(name, "eviction"))
    return Guess{text(""), {}};
  return std::nullopt;
}

std::optional<Guess> Constants::byUse(unsigned parameter) const {
  const Evidence &evidence = seen.parameters[parameter];
  const std::string &name = kernel.parameters[parameter].name;
  const bool isSide = evidence.has(Use::Range) || evidence.has(Use::Shape);
  const bool isNumber = isSide || evidence.has(Use::Address) || evidence.has(Use::Integer);
  const bool isOnlyTruth = evidence.uses == 1u << unsigned(Use::Truth);
  if (isOnlyTruth || (looksLikeFlag(name) && !isNumber))
    return Guess{truth(true), {truth(false), whole(1)}};
  if (hasPart(name, "activation") || hasWord(name, "act"))
    return Guess{text(""), {text("relu"), truth(false)}};
  if (!evidence.integers.empty() && !isSide) {
    Guess guess{whole(*evidence.integers.begin()), {}};
    for (int64_t other : llvm::drop_begin(evidence.integers))
      guess.others.push_back(whole(other));
    guess.others.push_back(whole(*evidence.integers.rbegin() + 1));
    return guess;
  }
  if (evidence.has(Use::Unrolled) && !isSide)
    return size(4);
  return std::nullopt;
}

Guess Constants::byName(const std::string &name) const {
  for (const auto &[word, value] : knownNumbers)
    if (hasPart(name, word))
      return size(value);
  constexpr std::array<std::string_view, 7> sizes = {"dim",   "size", "cols", "hidden",
                                                     "width", "rank", "head"};
  const bool isSize = llvm::any_of(sizes, [&](std::string_view part) { return hasPart(name, part); });
  return size(isSize || name == "K" || name == "D" || name == "N" || name == "V" ? 64 : 16);
}

Guess Constants::guess(unsigned parameter) const {
  const Evidence &evidence = seen.parameters[parameter];
  const std::string &name = kernel.parameters[parameter].name;
  if (std::optional<Guess> found = special(parameter))
    return *found;
  if (std::optional<Guess> found = byUse(parameter))
    return *found;
  const bool isSide = evidence.has(Use::Range) || evidence.has(Use::Shape);
  if (looksLikeFloat(name) && !isSide && !evidence.has(Use::Address) && !looksLikeBlock(name))
    return {real(0.5), {whole(1)}};
  if (evidence.has(Use::Range) || looksLikeBlock(name))
    return block(name, evidence);
  return isSide ? size(64) : byName(name);
}

} // namespace tegula::guess
