#include "tools/tegula/arguments/Arguments.h"

#include "compiler/spec/Descriptor.h"
#include "compiler/spec/PassedTuple.h"
#include "dialect/Counted.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;

namespace {

struct SourceName {
  std::string_view name;
  ArrayArgument::Source source;
  size_t operands;
};
constexpr SourceName sourceNames[] = {
    {"rand", ArrayArgument::Rand, 0},       {"randn", ArrayArgument::Randn, 0},
    {"randint", ArrayArgument::RandInt, 2}, {"zeros", ArrayArgument::Zeros, 0},
    {"full", ArrayArgument::Full, 1},       {"arange", ArrayArgument::Arange, 0},
    {"empty", ArrayArgument::Empty, 0},
};

struct RankWord {
  std::string_view name;
  RankArgument meaning;
};
constexpr RankWord rankWords[] = {
    {"pads", RankArgument::Pads}, {"rank", RankArgument::Rank}, {"world", RankArgument::World}};
constexpr std::string_view sharedPrefix = "symm:";

} // namespace

uint64_t elementCount(const std::vector<int64_t> &shape) {
  uint64_t count = 1;
  for (int64_t side : shape)
    count *= uint64_t(side);
  return count;
}

std::string formatShape(const std::vector<int64_t> &shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

/// "64,32" to its sides.
static Result<std::vector<int64_t>> parseShape(std::string_view text) {
  std::vector<int64_t> shape;
  uint64_t count = 1;
  for (std::string_view rest = text; !trim(rest).empty();) {
    const size_t comma = rest.find(',');
    const std::string_view sideText = trim(rest.substr(0, comma));
    int64_t side = 0;
    if (llvm::StringRef(sideText).getAsInteger(10, side) || side < 0)
      return usageError(fmt::format("expected a side of the shape, found `{}`", sideText));
    if (shape.size() == maxSides)
      return usageError(fmt::format("expected at most {} sides of a shape", maxSides));
    shape.push_back(side);
    if (side != 0 && count > maxElements / uint64_t(side))
      return usageError(fmt::format("expected at most {} elements, found the shape [{}]", maxElements, text));
    count *= uint64_t(side);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return shape;
}

/// The operands in "(0,9)"; removes them from the front of `text`.
static Result<std::vector<HostValue>> takeOperands(std::string_view &text, std::string_view whole) {
  std::vector<HostValue> operands;
  if (!text.starts_with('('))
    return operands;
  const size_t close = text.find(')');
  if (close == std::string_view::npos)
    return usageError(fmt::format("expected `)` in `{}`", whole));
  std::string_view rest = text.substr(1, close - 1);
  text.remove_prefix(close + 1);
  while (!trim(rest).empty()) {
    const size_t comma = rest.find(',');
    HostValue operand = TRY(parseNumber(trim(rest.substr(0, comma))));
    operands.push_back(operand);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return operands;
}

/// Checks that a type allows its source, and that its operands fit.
static Result<void> checkArray(const ArrayArgument &array, std::string_view name) {
  const ScalarKind type = *array.type;
  const bool isFloat = isFloatKind(type);
  const std::string_view typeName = scalarKindName(type);
  switch (array.source) {
  case ArrayArgument::Rand:
  case ArrayArgument::Randn:
    if (!isFloat)
      return usageError(fmt::format("`{}` makes floats, found the type {}", name, typeName));
    break;
  case ArrayArgument::RandInt:
    if (!array.first.isInteger() || !array.second.isInteger())
      return usageError("expected whole numbers in `randint`");
    if (array.first.kind == HostValue::UInt || array.second.kind == HostValue::UInt ||
        int64_t(array.first.bits) > int64_t(array.second.bits))
      return usageError("expected the lower end first in `randint`, both ends in the range of i64");
    for (const HostValue &end : {array.first, array.second})
      if (!isFloat && !integerFits(end, type))
        return usageError(fmt::format("{} does not fit {}", int64_t(end.bits), typeName));
    break;
  case ArrayArgument::Full:
    if (!isFloat && (!array.first.isInteger() || !integerFits(array.first, type)))
      return usageError(fmt::format("the value of `full` does not fit {}", typeName));
    break;
  case ArrayArgument::Arange: {
    const uint64_t count = elementCount(array.shape);
    if (!isFloat && count != 0 && !integerFits(HostValue::unsignedInteger(count - 1), type))
      return usageError(fmt::format("`arange` to {} does not fit {}", count - 1, typeName));
    break;
  }
  default:
    break;
  }
  return {};
}

/// "+1", the offset that may stand behind `what`.
static Result<uint64_t> parseOffset(std::string_view text, std::string_view what) {
  uint64_t offset = 0;
  if (text[0] != '+' || llvm::StringRef(text).drop_front().getAsInteger(10, offset))
    return usageError(
        fmt::format("expected `+` and a number of elements after the {}, found `{}`", what, text));
  return offset;
}

Result<void> checkOffset(const ArrayArgument &array) {
  if (array.offset > elementCount(array.shape))
    return usageError(
        fmt::format("element {} is outside the shape {}", array.offset, formatShape(array.shape)));
  return {};
}

/// "[64,32]+1", after the type.
static Result<void> parseShapeAndOffset(std::string_view text, std::string_view whole, ArrayArgument &array) {
  const size_t close = text.find(']');
  if (!text.starts_with('[') || close == std::string_view::npos)
    return usageError(fmt::format("expected a shape such as [1000] at the end of `{}`", whole));
  array.shape = TRY(parseShape(text.substr(1, close - 1)));
  std::string_view rest = trim(text.substr(close + 1));
  if (rest.empty())
    return {};
  array.offset = TRY(parseOffset(rest, "shape"));
  return checkOffset(array);
}

static Result<ArrayArgument> parseGenerated(const SourceName &source, std::string_view rest,
                                            std::string_view whole) {
  ArrayArgument array;
  array.source = source.source;
  std::vector<HostValue> operands = TRY(takeOperands(rest, whole));
  if (operands.size() != source.operands)
    return usageError(fmt::format("expected {} of `{}`, found {}", counted(source.operands, "operand"),
                                  source.name, operands.size()));
  if (source.operands > 0)
    array.first = operands[0];
  if (source.operands > 1)
    array.second = operands[1];
  if (!rest.starts_with(':'))
    return usageError(fmt::format("expected a type and a shape such as :fp32[1000] in `{}`", whole));
  rest.remove_prefix(1);
  const size_t bracket = std::min(rest.find('['), rest.size());
  const std::string_view typeText = trim(rest.substr(0, bracket));
  array.type = parseScalarKind(typeText);
  if (!array.type)
    return unknownType(typeText);
  TRY(parseShapeAndOffset(rest.substr(bracket), whole, array));
  TRY(checkArray(array, source.name));
  return array;
}

/// Takes "+1" off the end of `text`. A plus may belong to the path: only behind ".npy" or a type is it an
/// offset.
static Result<uint64_t> takeFileOffset(std::string_view &text) {
  const size_t plus = text.rfind('+');
  if (plus == std::string_view::npos)
    return uint64_t(0);
  const std::string_view before = text.substr(0, plus);
  if (!before.ends_with(".npy") && !parseScalarKind(before.substr(before.rfind(':') + 1)))
    return uint64_t(0);
  Result<uint64_t> offset = parseOffset(text.substr(plus), "file");
  text = before;
  return offset;
}

/// "in.npy", "in.npy:bf16", "in.npy:bf16+1", after the `@`.
static Result<ArrayArgument> parseFile(std::string_view text) {
  ArrayArgument array;
  array.source = ArrayArgument::File;
  array.offset = TRY(takeFileOffset(text));
  const size_t colon = text.rfind(':');
  // A colon may belong to the path: only a type after it is one.
  if (colon != std::string_view::npos)
    array.type = parseScalarKind(text.substr(colon + 1));
  if (array.type)
    text = text.substr(0, colon);
  else if (!text.ends_with(".npy") && colon != std::string_view::npos)
    return unknownType(text.substr(colon + 1));
  if (text.empty())
    return usageError("expected a path after `@`");
  array.path = text;
  return array;
}

/// Takes "/[64,64]" or "/[64,64]:nan", the blocks of a descriptor, off the end of `text`.
static Result<std::optional<bound::Descriptor>> takeBlocks(std::string_view &text) {
  std::string_view rest = text;
  bound::Descriptor blocks;
  for (std::string_view padding : {":nan", ":zero"})
    if (rest.ends_with(std::string("]").append(padding))) {
      blocks.padsWithNan = padding == ":nan";
      rest.remove_suffix(padding.size());
    }
  const size_t slash = rest.rfind("/[");
  if (!rest.ends_with(']') || slash == std::string_view::npos)
    return std::optional<bound::Descriptor>();
  blocks.block = TRY(parseShape(rest.substr(slash + 2, rest.size() - slash - 3)));
  if (blocks.block.empty() || blocks.block.size() > maxDescriptorRank)
    return usageError(fmt::format("expected blocks of 1 to {} dimensions, found `{}`", maxDescriptorRank,
                                  text.substr(slash + 1)));
  text = rest.substr(0, slash);
  return std::optional(std::move(blocks));
}

/// Returns true if `value` begins as a tuple does, and not as `randint(0,9):i32[8]`.
static bool isTuple(std::string_view value) {
  if (!looksLikeTuple(value))
    return false;
  const std::string_view word = value.substr(0, value.find('('));
  return std::none_of(std::begin(sourceNames), std::end(sourceNames),
                      [&](const SourceName &source) { return source.name == word; });
}

static Result<ParsedArgument> parseValue(const std::string &name, std::string_view value, int depth);

static Result<ParsedArgument> parseTuple(const std::string &name, std::string_view value, int depth) {
  auto refuse = [&](const std::string &text) {
    return usageError(fmt::format("argument `{}`: {}", name, text));
  };
  if (depth > maxPassedDepth)
    return refuse(fmt::format("tuples nest more than {} deep", maxPassedDepth));
  const std::optional<TupleText> parts = splitTuple(value);
  if (!parts)
    return refuse(fmt::format("expected a tuple such as `(zeros:fp32[8], 3)`, found `{}`", value));
  TupleArgument tuple{std::string(parts->type), {}, {}};
  for (std::string_view item : parts->items) {
    if (!tuple.type.empty()) {
      const std::optional<std::pair<std::string_view, std::string_view>> field = splitField(item);
      if (!field)
        return refuse(
            fmt::format("expected a name and a value such as `x=3` in `{}`, found `{}`", tuple.type, item));
      tuple.fields.emplace_back(field->first);
      item = field->second;
    }
    ParsedArgument parsed = TRY(parseValue(itemName(name, tuple.items.size()), item, depth));
    tuple.items.push_back(std::move(parsed));
  }
  return ParsedArgument{name, std::move(tuple)};
}

Result<ParsedArgument> parseArgument(std::string_view text) {
  std::pair<std::string, std::string> assignment = TRY(splitAssignment(text, "--arg"));
  return parseValue(assignment.first, assignment.second, 0);
}

static Result<ParsedArgument> parseValue(const std::string &name, std::string_view value, int depth) {
  if (isTuple(value))
    return parseTuple(name, value, depth + 1);
  auto located = [&](runtime::Error error) {
    error.text = fmt::format("argument `{}`: {}", name, error.text);
    return error;
  };
  std::optional<bound::Descriptor> blocks;
  const bool isShared = value.starts_with(sharedPrefix);
  if (isShared)
    value.remove_prefix(sharedPrefix.size());
  auto finished = [&](Result<ArrayArgument> array) -> Result<ParsedArgument> {
    if (!array)
      return located(array.error());
    array->isShared = isShared;
    if (isShared && array->offset)
      return located(usageError("what ranks share is passed as a table of addresses, which takes no offset"));
    return ParsedArgument{name, std::move(*array), std::move(blocks)};
  };
  std::string_view rest = value;
  Result<std::optional<bound::Descriptor>> found = takeBlocks(rest);
  if (!found)
    return located(found.error());
  blocks = std::move(*found);
  if (rest.starts_with('@'))
    return finished(parseFile(rest.substr(1)));
  const std::string_view word = rest.substr(0, rest.find_first_of(":([ "));
  for (const SourceName &source : sourceNames)
    if (word == source.name)
      return finished(parseGenerated(source, rest.substr(word.size()), rest));
  if (blocks || isShared)
    return located(usageError(
        fmt::format("expected an array {}, found `{}`", isShared ? "behind `symm:`" : "before `/[`", rest)));
  for (const RankWord &one : rankWords)
    if (rest == one.name)
      return ParsedArgument{name, one.meaning};
  Result<HostValue> scalar = parseScalar(rest);
  if (scalar)
    return ParsedArgument{name, *scalar};
  // A word that is no number was meant to be one of ours.
  const bool isWord = !word.empty() && ((word[0] | 0x20) >= 'a' && (word[0] | 0x20) <= 'z');
  if (!isWord || scalar.error().text.find("expected a number") == std::string::npos)
    return located(scalar.error());
  std::vector<std::string> known{"true", "false", "none"};
  for (const SourceName &source : sourceNames)
    known.emplace_back(source.name);
  for (const RankWord &one : rankWords)
    known.emplace_back(one.name);
  const std::string meant = word.starts_with("ones") ? "; did you mean `full(1)`?" : didYouMean(word, known);
  return located(usageError(fmt::format("expected a number, @FILE.npy or one of {}, found `{}`{}",
                                        fmt::join(known, ", "), word, meant)));
}

} // namespace tegula::cli
