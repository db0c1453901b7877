#include "compiler/guess/Types.h"

#include "compiler/guess/NameHints.h"
#include "compiler/spec/Descriptor.h"
#include "compiler/spec/PassedTuple.h"

#include "llvm/ADT/STLExtras.h"

namespace tegula::guess {

/// Facts of arrays as frameworks allocate them, and of strides as they mostly are.
static constexpr ArgFacts aligned{.divisibility = 16, .nonNegative = false};

Types::Types(const KernelInfo &kernel, const Seen &seen, const std::map<std::string, Passed> &passed)
    : kernel(kernel), seen(seen), passed(passed) {
  findPointers();
}

void Types::addPointer(const Summands &summands) {
  Summands candidates;
  for (unsigned parameter : summands)
    if (!kernel.parameters[parameter].isConstexpr)
      candidates.push_back(parameter);
  if (candidates.empty() || llvm::any_of(candidates, [&](unsigned one) { return pointers.contains(one); }))
    return;
  Summands notNumbers;
  for (unsigned parameter : candidates)
    if (!seen.parameters[parameter].isNumber)
      notNumbers.push_back(parameter);
  const Summands &likely = notNumbers.empty() ? candidates : notNumbers;
  const auto *named =
      llvm::find_if(likely, [&](unsigned one) { return looksLikePointer(kernel.parameters[one].name); });
  pointers.insert(named == likely.end() ? likely.front() : *named);
}

void Types::findPointers() {
  auto isPassed = [&](unsigned parameter) { return !kernel.parameters[parameter].isConstexpr; };
  for (unsigned i = 0; i < seen.parameters.size(); ++i)
    if (seen.parameters[i].isPointer && isPassed(i))
      pointers.insert(i);
  for (const Summands &address : seen.addresses)
    addPointer(address);
  auto hasPointer = [&](const Summands &summands) {
    return llvm::any_of(summands, [&](unsigned one) { return pointers.contains(one); });
  };
  // A choice may hand on to another: as often as choices nest in kernels.
  for (int round = 0; round < 3; ++round)
    for (const auto &[first, second] : seen.choices)
      if (hasPointer(first) != hasPointer(second))
        addPointer(hasPointer(first) ? second : first);
  // Those that no access was seen of, where the name leaves no doubt.
  for (unsigned i = 0; i < kernel.parameters.size(); ++i)
    if (isPassed(i) && isCalledPointer(kernel.parameters[i].name) && !seen.parameters[i].isDescriptor)
      pointers.insert(i);
}

std::vector<ScalarKind> Types::elements(unsigned parameter, bool &isOpenFloat) const {
  using enum ScalarKind;
  const Evidence &evidence = seen.parameters[parameter];
  const std::string &name = kernel.parameters[parameter].name;
  const auto shown = passed.find(name);
  const std::optional<ScalarKind> element = shown == passed.end() ? std::nullopt : shown->second.element;
  if (evidence.holdsAddresses)
    return {Int64};
  if (element && !(evidence.holdsIndices && isFloatKind(*element)))
    return {*element};
  if (evidence.holdsIndices)
    return {Int32, Int64};
  if (evidence.holdsTruths && !evidence.holdsIntegers)
    return {Int1, Int32, Float32};
  if (evidence.holdsIntegers || looksLikeIndices(name))
    return looksLikeBytes(name) ? std::vector{UInt8, Int32, Float32} : std::vector{Int32, UInt8, Float32};
  if (looksLikeTruths(name))
    return {Int1, Float32, Int32};
  isOpenFloat = true;
  return seen.hasDot ? std::vector{Float16, Float32, Int8, Int32}
                     : std::vector{Float32, Float16, Int32, Int64};
}

Guess Types::pointer(unsigned parameter) const {
  Guess guess;
  std::vector<Choice> choices;
  for (ScalarKind element : elements(parameter, guess.isFloatPointer))
    choices.push_back({RuntimeArg{element, 1, aligned}});
  choices.push_back({RuntimeArg{ScalarKind::Int32}}); // no pointer at all
  guess.choice = choices.front();
  guess.others.assign(choices.begin() + 1, choices.end());
  return guess;
}

Guess Types::descriptor(unsigned parameter) const {
  constexpr int64_t side = 64; // of all blocks, where there is a descriptor
  const std::string &name = kernel.parameters[parameter].name;
  auto made = [&](ScalarKind element, size_t axes) {
    Choice choice{BoundValue{bound::Descriptor{.block = std::vector<int64_t>(axes, side)}}};
    choice.parts.emplace_back(name + ".base", descriptorParameters(name, axes, element).front().second);
    return choice;
  };
  const size_t axes = std::clamp<size_t>(seen.parameters[parameter].axes, 1, maxDescriptorRank);
  return {made(defaultFloat(), axes),
          {made(ScalarKind::Float32, axes), made(defaultFloat(), axes == 2 ? 1 : 2)}};
}

Guess Types::tuple(unsigned parameter) const {
  const std::string &name = kernel.parameters[parameter].name;
  const unsigned least = std::max(seen.parameters[parameter].items, 2u);
  auto made = [&](const ArgSpec &type, unsigned items) {
    Choice choice{
        BoundValue{bound::Tuple{.items = std::vector<BoundValue>(items, BoundValue{bound::Passed()})}}};
    for (unsigned i = 0; i < items; ++i)
      choice.parts.emplace_back(itemName(name, i), type);
    return choice;
  };
  const RuntimeArg pointer{defaultFloat(), 1, aligned};
  const RuntimeArg number{ScalarKind::Int32};
  const bool isPointer = pointers.contains(parameter);
  const RuntimeArg &likely = isPointer ? pointer : number;
  constexpr unsigned many = 8;
  return {made(likely, least), {made(isPointer ? number : pointer, least), made(likely, many)}};
}

Guess Types::number(unsigned parameter) const {
  const ParameterInfo &info = kernel.parameters[parameter];
  const Evidence &evidence = seen.parameters[parameter];
  const Choice integer{RuntimeArg{ScalarKind::Int32, 0, looksLikeStride(info.name) ? aligned : ArgFacts{}}};
  const Choice real{RuntimeArg{ScalarKind::Float32}}, truth{RuntimeArg{ScalarKind::Int1}};
  const Choice address{RuntimeArg{defaultFloat(), 1, aligned}};
  const bool isInteger = evidence.has(Use::Address) || evidence.has(Use::Integer) || info.annotation == "int";
  if (info.annotation == "float")
    return {real, {integer}};
  if (!isInteger && (looksLikeFloat(info.name) || (evidence.meetsLoaded && !looksLikeSize(info.name))))
    return {real, {integer, address}};
  if (!isInteger && evidence.has(Use::Truth))
    return {truth, {integer}};
  return {integer, {real, address}};
}

Guess Types::guess(unsigned parameter) const {
  const ParameterInfo &info = kernel.parameters[parameter];
  const Evidence &evidence = seen.parameters[parameter];
  if (info.type)
    return {{*info.type}};
  if (evidence.isTuple)
    return tuple(parameter);
  if (pointers.contains(parameter))
    return pointer(parameter);
  if (evidence.isDescriptor)
    return descriptor(parameter);
  return number(parameter);
}

} // namespace tegula::guess
