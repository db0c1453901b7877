#include "compiler/guess/NameHints.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <span>

namespace tegula::guess {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 5> pointerEndings = {"_ptr", "_ptrs", "Ptr", "_pointer", "_p"};
/// Words of which one makes a pointer of a name that holds it. Case counts: `M` is a size, `K` a matrix.
constexpr std::array<std::string_view, 41> pointerWords = {
    "ptr",     "ptrs",      "pointer", "pointers", "Ptr",    "buf",  "buffer", "cache",   "out",
    "output",  "input",     "inp",     "table",    "indptr", "ids",  "lens",   "lse",     "LSE",
    "scratch", "workspace", "lock",    "locks",    "mask",   "bias", "weight", "weights", "X",
    "Y",       "Q",         "K",       "V",        "W",      "O",    "A",      "B",       "C",
    "D",       "grad",      "dst",     "src",      "data"};
/// Whole names.
constexpr std::array<std::string_view, 47> pointerNames = {
    "q",  "k",  "v",     "o",   "x",    "y",    "w",    "g",    "b",   "h",  "u",  "a",
    "c",  "z",  "dq",    "dk",  "dv",   "do",   "dx",   "dy",   "dw",  "db", "dg", "dh",
    "Z",  "M",  "L",     "H",   "U",    "Out",  "DO",   "DQ",   "DK",  "DV", "DX", "DY",
    "DW", "DB", "Delta", "Lse", "mean", "rstd", "Mean", "Rstd", "out", "p",  "in_"};
constexpr std::array<std::string_view, 60> indexWords = {
    "id",        "ids",    "idx",    "idxs",    "index",  "indices",   "indexes", "table",   "tables",
    "loc",       "locs",   "len",    "lens",    "seqlen", "seqlens",   "length",  "lengths", "offset",
    "offsets",   "offs",   "slot",   "slots",   "token",  "tokens",    "sampled", "step",    "steps",
    "req",       "reqs",   "bin",    "bins",    "hist",   "histogram", "rank",    "mapping", "indptr",
    "start",     "starts", "end",    "ends",    "count",  "counts",    "cnt",     "nnz",     "position",
    "positions", "pos",    "lock",   "locks",   "cu",     "map",       "perm",    "order",   "crow",
    "labels",    "label",  "target", "targets", "seed",   "seeds"};
constexpr std::array<std::string_view, 9> indexParts = {
    "seqlen", "indices", "lengths", "offsets", "idx", "page_table", "block_table", "req_to", "arrivals"};
/// Floats whatever else their names say.
constexpr std::array<std::string_view, 6> notIndices = {"weight", "scale", "logit", "prob", "bias", "grad"};
constexpr std::array<std::string_view, 6> byteParts = {"fp4", "packed", "uint8", "u8", "mxfp", "e2m1"};
constexpr std::array<std::string_view, 50> floatWords = {
    "eps",         "epsilon", "scale",       "scaling", "alpha", "beta",  "beta1",    "beta2",
    "gamma",       "lr",      "momentum",    "dropout", "p",     "prob",  "theta",    "softcap",
    "cap",         "logit",   "temperature", "temp",    "decay", "wd",    "lambda",   "slope",
    "inv",         "norm",    "clip",        "limit",   "delta", "ratio", "factor",   "smoothing",
    "threshold",   "val",     "value",       "tau",     "kl",    "coef",  "variance", "std",
    "reciprocal",  "neg",     "a",           "b",       "lower", "upper", "low",      "high",
    "softcapping", "rate"};
constexpr std::array<std::string_view, 16> sizeParts = {
    "rank", "world", "size",  "stride", "num",   "len",    "dim",   "seed",
    "cols", "rows",  "width", "height", "count", "hidden", "heads", "numel"};
constexpr std::array<std::string_view, 24> flagStarts = {
    "is_",     "has_",    "use_",   "enable_",  "do_",   "with_",        "should_",  "apply_",
    "need_",   "return_", "store_", "load_",    "add_",  "allow_",       "save_",    "even_",
    "causal_", "output_", "input_", "compute_", "skip_", "interleaved_", "reverse_", "fuse_"};

bool isAmong(std::string_view name, Words words) { return llvm::is_contained(words, name); }
bool endsWithAny(std::string_view name, Words endings) {
  return llvm::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}
bool hasAnyPart(std::string_view name, Words parts) {
  return llvm::any_of(parts, [&](std::string_view part) { return hasPart(name, part); });
}

/// Calls `matches` for each word of `name`; returns true if one does.
template <typename Predicate> bool anyWord(std::string_view name, Predicate &&matches) {
  while (!name.empty()) {
    const size_t end = std::min(name.find('_'), name.size());
    if (end && matches(name.substr(0, end)))
      return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}
bool hasAnyWord(std::string_view name, Words words) {
  return anyWord(name, [&](std::string_view word) { return isAmong(word, words); });
}
bool hasAnyWordOfAnyCase(std::string_view name, Words words) {
  return hasAnyWord(llvm::StringRef(name).lower(), words);
}

} // namespace

bool hasWord(std::string_view name, std::string_view word) {
  return anyWord(name, [&](std::string_view one) { return llvm::StringRef(one).equals_insensitive(word); });
}
bool hasPart(std::string_view name, std::string_view part) {
  return llvm::StringRef(name).contains_insensitive(part);
}

bool isCalledPointer(std::string_view name) {
  return name != "_p" && endsWithAny(name, Words(pointerEndings).first(4));
}
bool looksLikeStride(std::string_view name) { return hasPart(name, "stride"); }
bool looksLikePointer(std::string_view name) {
  return !looksLikeStride(name) &&
         (endsWithAny(name, pointerEndings) || name.ends_with("ptr") || name.starts_with("ptr_") ||
          name.starts_with("p_") || hasAnyWord(name, pointerWords) || isAmong(name, pointerNames));
}
bool looksLikeIndices(std::string_view name) {
  if (hasAnyPart(name, notIndices))
    return false;
  return hasAnyWordOfAnyCase(name, indexWords) || hasAnyPart(name, indexParts);
}
bool looksLikeTruths(std::string_view name) {
  return !hasPart(name, "attn") && (hasWord(name, "mask") || hasWord(name, "is") || hasWord(name, "flag"));
}
bool looksLikeBytes(std::string_view name) { return hasAnyPart(name, byteParts); }

bool looksLikeFloat(std::string_view name) {
  return !hasAnyPart(name, sizeParts) && (hasAnyWordOfAnyCase(name, floatWords) || hasPart(name, "scale"));
}
bool looksLikeSize(std::string_view name) {
  constexpr std::array<std::string_view, 9> letters = {"N", "M", "K", "T", "H", "B", "D", "S", "n"};
  return isAmong(name, letters) || hasAnyPart(name, sizeParts);
}

bool looksLikeDtype(std::string_view name) {
  return hasPart(name, "dtype") || hasWord(name, "type") || hasWord(name, "ty");
}
bool looksLikeFlag(std::string_view name) {
  const std::string lower = llvm::StringRef(name).lower();
  return llvm::any_of(flagStarts, [&](std::string_view start) { return lower.starts_with(start); });
}
bool looksLikeBlock(std::string_view name) { return hasPart(name, "block") || hasPart(name, "tile"); }

bool isIntegerTypeName(std::string_view name) {
  return name.starts_with("int") || name.starts_with("uint") || name == "dtype";
}
bool isDtypeName(std::string_view name) {
  return isIntegerTypeName(name) || name.starts_with("float") || name.starts_with("bfloat");
}

bool isDtypeAttribute(std::string_view name) {
  constexpr std::array<std::string_view, 6> names = {"primitive_bitwidth", "int_bitwidth",
                                                     "fp_mantissa_width",  "exponent_bias",
                                                     "int_signedness",     "is_floating"};
  return isAmong(name, names) || name.starts_with("is_fp") || name.starts_with("is_int") ||
         name.starts_with("is_bf") || name.starts_with("is_uint") || name == "is_bool" ||
         name == "is_block" || name == "is_ptr";
}

std::string_view typeNameIn(const ast::Expr *expr) {
  if (const auto *call = ast::as<ast::CallExpr>(expr))
    return typeNameIn(call->callee);
  if (const auto *attribute = ast::as<ast::AttributeExpr>(expr))
    return attribute->name;
  if (const auto *name = ast::as<ast::NameExpr>(expr))
    return name->id;
  return {};
}

std::string_view rootOf(const ast::Expr *expr) {
  while (const auto *attribute = ast::as<ast::AttributeExpr>(expr))
    expr = attribute->object;
  const auto *name = ast::as<ast::NameExpr>(expr);
  return name ? name->id : std::string_view();
}

std::string dottedName(const ast::Expr *expr) {
  std::string dotted;
  for (; const auto *attribute = ast::as<ast::AttributeExpr>(expr); expr = attribute->object)
    dotted.insert(0, "." + std::string(attribute->name));
  const auto *name = ast::as<ast::NameExpr>(expr);
  return name ? std::string(name->id) + dotted : std::string();
}

} // namespace tegula::guess
