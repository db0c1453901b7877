// Products of matrices: what `tl.dot` takes, which type it sums in, and how precise products of fp32 are.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/builtins/tensor/BuiltinsTarget.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/calls/Call.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringRef.h"

using namespace tegula;
using namespace tegula::eval;
namespace arith = mlir::arith;

namespace {

// The parameters, numbered as in the signature.
enum Parameter : size_t { A, B, Accumulator, InputPrecision, AllowTf32, MaxImprecise, OutDtype };

struct Sides {
  int64_t m, n, k;
};

Value withOrigins(Call &call, Diagnostic &diagnostic, Tensor a, Tensor b) {
  for (Tensor side : {a, b})
    call.reporter.addOrigin(diagnostic, side.ir,
                            "the operand of type " + describe(Value(side)) + " is made here");
  return Poison();
}

std::string both(Tensor a, Tensor b) { return describe(Value(a)) + " and " + describe(Value(b)); }

bool isOfName(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Returns true if operands of one type, or of two, can be multiplied at all.
bool checkTypes(Call &call, Tensor a, Tensor b) {
  if (a.dtype.isFloat8() && b.dtype.isFloat8()) {
    bool either = a.dtype.is(ScalarKind::Float8E4M3) || b.dtype.is(ScalarKind::Float8E4M3);
    if (!either || targetHas(call.evaluator.spec, &Target::fp8Products))
      return true;
    call.report(call.range,
                "type fp8e4nv not supported in this architecture: " + targetExpected(&Target::fp8Products) +
                    ", found " + call.evaluator.spec.target)
        .help = "cast both operands to fp16, which holds every fp8e4nv";
    return false;
  }
  for (size_t i : {A, B}) {
    Dtype dtype = (i == A ? a : b).dtype;
    if (dtype.is(ScalarKind::Int8) || dtype.isFloat())
      continue;
    Diagnostic &diagnostic =
        call.report(call.rangeOf(i), "expected elements of fp8, fp16, bf16, fp32, fp64 or int8, found " +
                                         describe(call.value(i)));
    if (dtype.is(ScalarKind::UInt8)) {
      diagnostic.help = "matrix units multiply signed bytes here: cast to int8 what fits into it";
      addSuffixFix(call.reporter, diagnostic, call.valueRange(i), ".to(tl.int8)");
    }
    return false;
  }
  if (a.dtype == b.dtype)
    return true;
  Diagnostic &diagnostic =
      call.report(call.range, "expected operands of one type, or both of fp8, found " + both(a, b));
  diagnostic.help = "cast one of them";
  const SourceFile &source = call.reporter.source();
  for (auto [cast, kept] : {std::pair(B, A), std::pair(A, B)})
    if (const llvm::StringRef other = source.slice(call.valueRange(kept));
        !other.empty() && llvm::all_of(other, isOfName))
      addSuffixFix(call.reporter, diagnostic, call.valueRange(cast), ".to(" + other.str() + ".dtype)");
  withOrigins(call, diagnostic, a, b);
  return false;
}

/// The sides of the product; nothing after a report.
std::optional<Sides> checkShapes(Call &call, Tensor a, Tensor b) {
  Shape left = a.shape(), right = b.shape();
  auto wrong = [&](const std::string &expected) -> std::optional<Sides> {
    withOrigins(call, call.report(call.range, "expected " + expected + ", found " + both(a, b)), a, b);
    return std::nullopt;
  };
  if (left.size() != right.size() || left.size() < 2)
    return wrong("two operands of as many dimensions, 2 or more");
  if (left.drop_back(2) != right.drop_back(2))
    return wrong("as many matrices in both operands");
  Sides sides{left[left.size() - 2], right[right.size() - 1], left[left.size() - 1]};
  if (int64_t rows = right[right.size() - 2]; rows != sides.k)
    return wrong("as many columns on the left as rows on the right");
  // 32 bytes, which matrix units take at a time.
  int64_t leastK = 256 / a.dtype.bits();
  if (sides.k < leastK) {
    Diagnostic &diagnostic =
        call.report(call.range, "Input shapes should have M >= 1, N >= 1 and K >= " + std::to_string(leastK) +
                                    " for " + typeName(a.dtype) + ", found " + both(a, b));
    withOrigins(call, diagnostic, a, b);
    return std::nullopt;
  }
  return sides;
}

/// The type of the sum, which for some operands is the author's choice.
std::optional<Dtype> sumType(Call &call, Dtype operand) {
  const Tensor *added = call.value(Accumulator).as<Tensor>();
  const bool isShort = added && added->dtype.is(ScalarKind::Float16) && !call.given(OutDtype);
  std::optional<Dtype> wanted = call.given(OutDtype)
                                    ? call.dtype(OutDtype)
                                    : Dtype{isShort ? ScalarKind::Float16 : ScalarKind::Float32};
  if (!wanted)
    return std::nullopt;
  if (operand.isInt())
    return Dtype{ScalarKind::Int32};
  if (wanted->is(ScalarKind::BFloat16)) {
    call.report(call.rangeOf(OutDtype), "expected an `out_dtype` of fp32 or fp16, found bf16").help =
        "sum in fp32 and cast the result with `.to(tl.bfloat16)`";
    return std::nullopt;
  }
  if (operand.is(ScalarKind::BFloat16) || operand.is(ScalarKind::Float32))
    return Dtype{ScalarKind::Float32};
  if (operand.is(ScalarKind::Float64))
    return operand;
  if (wanted->is(ScalarKind::Float16) || wanted->is(ScalarKind::Float32))
    return wanted;
  call.errorAt(OutDtype, "expected an `out_dtype` of fp32 or fp16, found " + typeName(*wanted));
  return std::nullopt;
}

/// Batches of batches as one batch: what the op multiplies.
Tensor asOneBatch(Emitter &emit, Tensor tensor) {
  constexpr size_t rankOfBatch = 3;
  Shape shape = tensor.shape();
  if (shape.size() <= rankOfBatch)
    return tensor;
  return emit.reshape(tensor, {elementsOf(shape.drop_back(2)), shape[shape.size() - 2], shape.back()});
}

/// Precision of products of fp32.
struct Precision {
  tile::InputPrecision unit = tile::InputPrecision::IEEE;
  unsigned parts = 0; ///< of bf16 that each number becomes, 2 or 3; 0 where the unit takes it as it is
};

/// The precision of this name; what is wrong with it is reported at `range`, where `source` gives it.
std::optional<Precision> precisionNamed(Call &call, std::string_view text, SourceRange range,
                                        std::string_view source) {
  std::string name = llvm::StringRef(text).lower();
  if (name == "bf16x3" || name == "bf16x6")
    return Precision{tile::InputPrecision::IEEE, name == "bf16x3" ? 2u : 3u};
  if (std::optional<tile::InputPrecision> found = tile::symbolizeInputPrecision(name))
    return Precision{*found};
  NearestName nearest(name);
  for (std::string_view candidate : {"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"})
    nearest.offer(candidate);
  Diagnostic &diagnostic =
      call.report(range, "expected 'tf32', 'tf32x3', 'ieee', 'bf16x3' or 'bf16x6'" + std::string(source) +
                             ", found '" + std::string(text) + "'");
  nearest.suggest(diagnostic, call.reporter, onlyWord(call.reporter.source(), range, text).value_or(range));
  return std::nullopt;
}

/// Returns the precision of `input_precision`; without it the launch's default, then that of `allow_tf32`.
std::optional<Precision> precision(Call &call) {
  std::optional<bool> tf32 = call.flag(AllowTf32, true);
  if (!tf32)
    return std::nullopt;
  const std::string &fallback = call.evaluator.spec.dotPrecision;
  if (!call.given(InputPrecision) && !fallback.empty())
    return precisionNamed(call, fallback, call.range, " as the default precision of products");
  if (!call.given(InputPrecision))
    return Precision{*tf32 ? tile::InputPrecision::TF32 : tile::InputPrecision::IEEE};
  if (call.given(AllowTf32)) {
    call.errorAt(AllowTf32, "expected `input_precision` or `allow_tf32`, found both");
    return std::nullopt;
  }
  std::optional<std::string_view> text = call.text(InputPrecision, "");
  return text ? precisionNamed(call, *text, call.rangeOf(InputPrecision), "") : std::nullopt;
}

/// Returns how many products of fp8 may be summed with few bits; 0 where not given or without effect.
std::optional<int32_t> maxImprecise(Call &call, Dtype operand, int64_t k) {
  if (!call.given(MaxImprecise))
    return 0;
  std::optional<Int> number = call.integer(MaxImprecise);
  if (!number)
    return std::nullopt;
  if (*number < 0) {
    call.errorAt(MaxImprecise, "expected a number of additions, found " + toString(*number));
    return std::nullopt;
  }
  if (!operand.isFloat8())
    return 0;
  if (*number > k) {
    call.errorAt(MaxImprecise, "max_num_imprecise_acc (" + toString(*number) + ") must be <= K (" +
                                   std::to_string(k) + ")");
    return std::nullopt;
  }
  // None at all is what one at a time gives.
  return int32_t(std::max(*number, Int(1)));
}

/// The matrix that the product is added to: the author's, or zeros.
std::optional<Tensor> accumulator(Call &call, Dtype sum, Shape shape) {
  if (!call.given(Accumulator))
    return call.emit.constant(Int(0), sum, shape);
  std::optional<Tensor> given = call.tensor(Accumulator);
  if (!given || (given->dtype == sum && given->shape() == shape))
    return given;
  Diagnostic &diagnostic =
      call.report(call.rangeOf(Accumulator), "expected an accumulator of type " + typeName(sum, shape) +
                                                 ", found " + describe(Value(*given)));
  if (given->shape() == shape && given->dtype.is(ScalarKind::Float16) && sum.is(ScalarKind::Float32)) {
    diagnostic.help = "`out_dtype=tl.float16` sums in fp16";
    if (call.given(OutDtype))
      call.reporter.addFix(diagnostic, call.valueRange(OutDtype), "tl.float16");
  }
  call.reporter.addOrigin(diagnostic, given->ir, "the accumulator is made here");
  return std::nullopt;
}

/// fp32 as a sum of numbers of bf16, the largest first: each is what the ones before leave, rounded.
llvm::SmallVector<Tensor, 3> partsOf(Emitter &emit, Tensor whole, unsigned count) {
  llvm::SmallVector<Tensor, 3> parts;
  for (Tensor rest = whole; parts.size() < count;) {
    parts.push_back(emit.cast(rest, {ScalarKind::BFloat16}));
    const Tensor known = emit.cast(parts.back(), rest.dtype);
    rest = {emit.make<arith::SubFOp>(rest.ir, known.ir), rest.dtype};
  }
  return parts;
}

/// Products of fp32 by those of its parts, from the least to the largest; what is below the last digit is
/// left out. Where a number is infinite its rest is no number, and what comes of that does not count.
Tensor dotOfParts(Call &call, Tensor a, Tensor b, Tensor added, unsigned count) {
  llvm::SmallVector<Tensor, 3> left = partsOf(call.emit, a, count), right = partsOf(call.emit, b, count);
  mlir::Value zero = call.emit.constant(Int(0), added.dtype, added.shape()).ir, sum = zero;
  auto add = [&](unsigned i, unsigned j) {
    sum = call.emit.make<tile::DotOp>(left[i].ir, right[j].ir, sum, tile::InputPrecision::IEEE, 0);
  };
  for (unsigned order = count - 1; order > 0; --order)
    for (unsigned i = 0; i <= order; ++i)
      add(i, order - i);
  mlir::Value isNumber = call.emit.make<arith::CmpFOp>(arith::CmpFPredicate::ORD, sum, sum);
  sum = call.emit.make<arith::SelectOp>(isNumber, sum, zero);
  add(0, 0);
  return {call.emit.make<arith::AddFOp>(sum, added.ir), added.dtype};
}

/// Warns of an operand that new matrix units have no instruction for.
void warnOfDeprecated(Call &call, Dtype a, Dtype b) {
  constexpr Int hopperCapability = 90; // what Triton asks for
  constexpr ScalarKind kind = ScalarKind::Float8E4B15;
  if ((a.is(kind) || b.is(kind)) && capability(call.evaluator.spec) >= hopperCapability)
    call.reporter
        .report(Severity::Warning, call.range,
                "the use of fp8e4b15 is deprecated on Hopper and later architectures")
        .help = "the operands are converted to fp16: convert them once, or use fp8e4nv";
}

Value dot(Call &call) {
  std::optional<Tensor> a = call.tensor(A), b = call.tensor(B);
  if (!a || !b || !checkTypes(call, *a, *b))
    return Poison();
  warnOfDeprecated(call, a->dtype, b->dtype);
  std::optional<Sides> sides = checkShapes(call, *a, *b);
  std::optional<Dtype> sum = sumType(call, a->dtype);
  std::optional<Precision> products = precision(call);
  if (!sides || !sum || !products)
    return Poison();
  std::optional<int32_t> imprecise = maxImprecise(call, a->dtype, sides->k);
  llvm::SmallVector<Int, 3> wanted(a->shape().drop_back());
  wanted.push_back(sides->n);
  if (!imprecise || !call.semantics.checkShape(wanted, call.range))
    return Poison();
  llvm::SmallVector<int64_t, 3> shape(wanted.begin(), wanted.end());
  std::optional<Tensor> added = accumulator(call, *sum, shape);
  if (!added)
    return Poison();
  if (a->dtype.isFloat8() && (!targetHas(call.evaluator.spec, &Target::fp8Products) ||
                              a->dtype.isPackedFloat() || b->dtype.isPackedFloat())) {
    // Without a unit for it, fp16 multiplies every 8-bit float exactly.
    a = call.emit.cast(*a, {ScalarKind::Float16});
    b = call.emit.cast(*b, {ScalarKind::Float16});
    imprecise = 0;
  }
  if (!a->dtype.is(ScalarKind::Float32))
    products = Precision();
  const Tensor left = asOneBatch(call.emit, *a), right = asOneBatch(call.emit, *b),
               start = asOneBatch(call.emit, *added);
  if (products->parts)
    return call.emit.reshape(dotOfParts(call, left, right, start, products->parts), shape);
  mlir::Value result = call.emit.make<tile::DotOp>(left.ir, right.ir, start.ir, products->unit, *imprecise);
  return call.emit.reshape({result, *sum}, shape);
}

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsDot.inc"
