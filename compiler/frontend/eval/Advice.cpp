#include "compiler/frontend/eval/Advice.h"

#include "compiler/frontend/syntax/text/Diagnostic.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// A word of theirs, how the language says it, and what takes the word's place where that is all.
struct Entry {
  std::string_view theirs, ours, inPlace = {};
};

constexpr Entry functionSpellings[] = {
    {"relu", "`tl.maximum(x, 0.0)`"},
    {"mm", "`tl.dot(a, b)`", "tl.dot"},
    {"bmm", "`tl.dot(a, b)`", "tl.dot"},
    {"matmul", "`tl.dot(a, b)`", "tl.dot"},
    {"dot", "`tl.dot(a, b)`", "tl.dot"},
    {"mean", "`tl.sum(x) / n`"},
    {"absolute", "`tl.abs(x)`", "tl.abs"},
    {"fabs", "`tl.abs(x)`", "tl.abs"},
    {"clip", "`tl.clamp(x, low, high)`", "tl.clamp"},
    {"concatenate", "`tl.join(a, b)`"},
    {"transpose", "`tl.trans(x)`"},
    {"empty", "`tl.zeros(shape, dtype)`"},
    {"empty_like", "`tl.zeros_like(x)`", "tl.zeros_like"},
    {"ones", "`tl.full(shape, 1, dtype)`"},
    {"logical_and", "`a & b`"},
    {"logical_or", "`a | b`"},
    {"logical_not", "`not x`"},
    {"float16", "`tl.float16`", "tl.float16"},
    {"half", "`tl.float16`", "tl.float16"},
    {"float", "`tl.float32`", "tl.float32"},
    {"double", "`tl.float64`", "tl.float64"},
    {"bool", "`tl.int1`", "tl.int1"},
    {"long", "`tl.int64`", "tl.int64"},
    {"float8_e4m3fn", "`tl.float8e4nv`", "tl.float8e4nv"},
    {"float8_e5m2", "`tl.float8e5`", "tl.float8e5"},
};

/// The word in place of a method stands for its empty parentheses too.
constexpr Entry methodSpellings[] = {
    {"expand", "`tl.broadcast_to(x, shape)`"},
    {"expand_as", "`tl.broadcast_to(x, y.shape)`"},
    {"repeat", "`tl.broadcast_to(x, shape)`"},
    {"size", "`x.shape`", "shape"},
    {"dim", "`len(x.shape)`"},
    {"ndim", "`len(x.shape)`"},
    {"t", "`tl.trans(x)`"},
    {"transpose", "`tl.trans(x)`"},
    {"flatten", "`x.ravel()`", "ravel()"},
    {"float", "`x.to(tl.float32)`", "to(tl.float32)"},
    {"double", "`x.to(tl.float64)`", "to(tl.float64)"},
    {"half", "`x.to(tl.float16)`", "to(tl.float16)"},
    {"bfloat16", "`x.to(tl.bfloat16)`", "to(tl.bfloat16)"},
    {"int", "`x.to(tl.int32)`", "to(tl.int32)"},
    {"long", "`x.to(tl.int64)`", "to(tl.int64)"},
    {"bool", "`x != 0`"},
    {"type", "`x.to(dtype)`"},
    {"astype", "`x.to(dtype)`"},
    {"type_as", "`x.to(y.dtype)`"},
    {"masked_fill", "`tl.where(mask, value, x)`"},
    {"add", "`x + y`"},
    {"sub", "`x - y`"},
    {"mul", "`x * y`"},
    {"div", "`x / y`"},
    {"clone", "`x` itself: values never change"},
    {"contiguous", "`x` itself: a tensor of a kernel has no strides"},
};

const Entry *entryIn(llvm::ArrayRef<Entry> entries, std::string_view name) {
  for (const Entry &entry : entries)
    if (entry.theirs == name)
      return &entry;
  return nullptr;
}

} // namespace

Spelling eval::languageSpelling(const FunctionTable &functions, std::string_view name) {
  if (const Entry *entry = entryIn(functionSpellings, name))
    return {std::string(entry->ours), std::string(entry->inPlace)};
  const std::string ours = "tl." + std::string(name);
  if (dtypeByAttribute(name) || functions.builtin(name, InLanguage) ||
      functions.library(name, ModuleId::Language))
    return {asCode(ours), ours};
  if (functions.builtin(name, InLibdevice) || functions.library(name, ModuleId::Libdevice))
    return {"`libdevice." + std::string(name) + "`, behind `from triton.language.extra import libdevice`",
            "libdevice." + std::string(name)};
  return {};
}

Spelling eval::tensorSpelling(const FunctionTable &functions, std::string_view name) {
  if (const Entry *entry = entryIn(methodSpellings, name))
    return {std::string(entry->ours), std::string(entry->inPlace)};
  // In torch `x.add_(y)` changes x.
  if (name.ends_with('_'))
    name.remove_suffix(1);
  return {languageSpelling(functions, name).text, {}};
}

std::string_view eval::importOf(std::string_view name) {
  constexpr Entry imports[] = {
      {"tl", "import triton.language as tl"},
      {"triton", "import triton"},
      {"language", "from triton import language"},
      {"libdevice", "from triton.language.extra import libdevice"},
      {"math", "import math"},
      {"itertools", "import itertools"},
  };
  const Entry *entry = entryIn(imports, name);
  return entry ? entry->ours : std::string_view();
}
