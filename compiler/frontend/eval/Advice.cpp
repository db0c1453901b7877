#include "compiler/frontend/eval/Advice.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

struct Spelling {
  std::string_view theirs, ours;
};

constexpr Spelling functionSpellings[] = {
    {"relu", "`tl.maximum(x, 0.0)`"},
    {"mm", "`tl.dot(a, b)`"},
    {"bmm", "`tl.dot(a, b)`"},
    {"matmul", "`tl.dot(a, b)`"},
    {"dot", "`tl.dot(a, b)`"},
    {"mean", "`tl.sum(x) / n`"},
    {"absolute", "`tl.abs(x)`"},
    {"fabs", "`tl.abs(x)`"},
    {"clip", "`tl.clamp(x, low, high)`"},
    {"concatenate", "`tl.join(a, b)`"},
    {"transpose", "`tl.trans(x)`"},
    {"empty", "`tl.zeros(shape, dtype)`"},
    {"empty_like", "`tl.zeros_like(x)`"},
    {"ones", "`tl.full(shape, 1, dtype)`"},
    {"logical_and", "`a & b`"},
    {"logical_or", "`a | b`"},
    {"logical_not", "`not x`"},
    {"float16", "`tl.float16`"},
    {"half", "`tl.float16`"},
    {"float", "`tl.float32`"},
    {"double", "`tl.float64`"},
    {"bool", "`tl.int1`"},
    {"long", "`tl.int64`"},
    {"float8_e4m3fn", "`tl.float8e4nv`"},
    {"float8_e5m2", "`tl.float8e5`"},
};

constexpr Spelling methodSpellings[] = {
    {"expand", "`tl.broadcast_to(x, shape)`"},
    {"expand_as", "`tl.broadcast_to(x, y.shape)`"},
    {"repeat", "`tl.broadcast_to(x, shape)`"},
    {"size", "`x.shape`"},
    {"dim", "`len(x.shape)`"},
    {"ndim", "`len(x.shape)`"},
    {"t", "`tl.trans(x)`"},
    {"transpose", "`tl.trans(x)`"},
    {"flatten", "`x.ravel()`"},
    {"float", "`x.to(tl.float32)`"},
    {"double", "`x.to(tl.float64)`"},
    {"half", "`x.to(tl.float16)`"},
    {"bfloat16", "`x.to(tl.bfloat16)`"},
    {"int", "`x.to(tl.int32)`"},
    {"long", "`x.to(tl.int64)`"},
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

std::string_view spellingIn(llvm::ArrayRef<Spelling> spellings, std::string_view name) {
  for (const Spelling &spelling : spellings)
    if (spelling.theirs == name)
      return spelling.ours;
  return {};
}

} // namespace

std::string eval::languageSpelling(const FunctionTable &functions, std::string_view name) {
  if (std::string_view spelling = spellingIn(functionSpellings, name); !spelling.empty())
    return std::string(spelling);
  if (dtypeByAttribute(name))
    return "`tl." + std::string(name) + "`";
  const Builtin *builtin = functions.builtin(name, InLanguage);
  if (builtin || functions.library(name, ModuleId::Language))
    return "`tl." + std::string(name) + "`";
  if (functions.builtin(name, InLibdevice) || functions.library(name, ModuleId::Libdevice))
    return "`libdevice." + std::string(name) + "`, behind `from triton.language.extra import libdevice`";
  return {};
}

std::string eval::tensorSpelling(const FunctionTable &functions, std::string_view name) {
  if (std::string_view spelling = spellingIn(methodSpellings, name); !spelling.empty())
    return std::string(spelling);
  // In torch `x.add_(y)` changes x.
  if (name.ends_with('_'))
    name.remove_suffix(1);
  return languageSpelling(functions, name);
}

std::string_view eval::importOf(std::string_view name) {
  constexpr Spelling imports[] = {
      {"tl", "`import triton.language as tl`"},
      {"triton", "`import triton`"},
      {"language", "`from triton import language`"},
      {"libdevice", "`from triton.language.extra import libdevice`"},
      {"math", "`import math`"},
      {"itertools", "`import itertools`"},
  };
  return spellingIn(imports, name);
}
