#include "compiler/lower/code/DotCode.h"
#include "compiler/lower/code/AccessCode.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>

using namespace mlir;

namespace tegula {
namespace {

using Values = SmallVector<Value>;

/// LLVM's name of an instruction. The types that one form leaves open are named, as in PTX: all of f8, the
/// sums of f16, else the operands.
std::string intrinsicName(const MatrixInstruction &instruction) {
  const MatrixShape &shape = instruction.shape;
  const MatrixElement a = instruction.a, b = instruction.b, sum = instruction.sum;
  std::string name = llvm::formatv("llvm.nvvm.mma.m{0}n{1}k{2}.row.col", shape.m, shape.n, shape.k).str();
  auto add = [&](MatrixElement element) { name += "." + std::string(nameOf(element)); };
  if (a == MatrixElement::E4M3 || a == MatrixElement::E5M2) {
    for (MatrixElement element : {sum, a, b, sum})
      add(element);
  } else if (a == MatrixElement::F16) {
    add(sum), add(sum);
  } else {
    add(a);
  }
  return name;
}

/// Returns the LLVM type of one register of an instruction.
Type registerType(OpBuilder &builder, MatrixElement element) {
  switch (element) {
  case MatrixElement::F16:
    return VectorType::get({2}, builder.getF16Type());
  case MatrixElement::F32:
    return builder.getF32Type();
  case MatrixElement::F64:
    return builder.getF64Type();
  default:
    return builder.getI32Type();
  }
}

/// Calls of one intrinsic.
///
/// Not `nvvm.mma.sync`: it lacks f8, and LLVM does not know that a whole warp must come to the intrinsic,
/// whereupon it sinks one into a branch that some lanes take. A call can say so.
class MatrixCalls {
public:
  MatrixCalls(OpBuilder &builder, Location loc, const MatrixInstruction &instruction)
      : builder(builder), loc(loc), name(intrinsicName(instruction)),
        sumType(registerType(builder, instruction.sum)) {}

  /// The new sums, in registers of the instruction.
  Values call(ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> sum) {
    const Values operands = llvm::to_vector(llvm::concat<const Value>(a, b, sum));
    if (!callee)
      callee = declare(operands, sum.size());
    auto made = LLVM::CallOp::create(builder, loc, callee, operands);
    made.setConvergent(true);
    Values results;
    for (size_t i = 0; i < sum.size(); ++i)
      results.push_back(LLVM::ExtractValueOp::create(builder, loc, made.getResult(), int64_t(i)));
    return results;
  }

private:
  LLVM::LLVMFuncOp declare(ArrayRef<Value> operands, size_t results) {
    auto module = builder.getInsertionBlock()->getParent()->getParentOfType<ModuleOp>();
    auto several =
        LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(results, sumType));
    return *LLVM::lookupOrCreateFn(builder, module, name, llvm::to_vector(ValueRange(operands).getTypes()),
                                   several);
  }

  OpBuilder &builder;
  Location loc;
  std::string name;
  Type sumType;
  LLVM::LLVMFuncOp callee;
};

/// The fragments of one operand in registers of the instruction, each packed when it is first asked for.
class Packed {
public:
  Packed(OpBuilder &builder, Location loc, const std::vector<DotPlan::Fragment> &fragments,
         ValueRange registers, MatrixElement element)
      : builder(builder), loc(loc), fragments(fragments), registers(registers), element(element),
        words(fragments.size()), halves(fragments.size()) {
    if (element == MatrixElement::TF32)
      big.resize(registers.size()), small.resize(registers.size());
  }

  const Values &operator[](uint32_t fragment) {
    Values &made = words[fragment];
    if (made.empty())
      made = element == MatrixElement::TF32 ? rounded(fragments[fragment]) : packed(fragments[fragment]);
    return made;
  }

  /// Returns every other pair of elements of a fragment of f8, from the pair `first` on, as f16. Of both
  /// operands these are the same along K.
  const Values &half(uint32_t fragment, unsigned first) {
    Values &made = halves[fragment][first];
    if (made.empty())
      for (Value word : (*this)[fragment])
        made.push_back(widened(unpackWords(builder, loc, word, builder.getI16Type())[first]));
    return made;
  }

  /// Returns what rounding to tf32 left over of a fragment, as tf32.
  Values rest(uint32_t fragment) {
    Values result;
    for (uint32_t reg : fragments[fragment]) {
      if (!small[reg]) {
        Value first = LLVM::BitcastOp::create(builder, loc, builder.getF32Type(), roundedRegister(reg));
        small[reg] = round(LLVM::FSubOp::create(builder, loc, registers[reg], first));
      }
      result.push_back(small[reg]);
    }
    return result;
  }

private:
  Values packed(ArrayRef<uint32_t> fragment) {
    Type type = registerType(builder, element);
    Values elements = picked(registers, fragment);
    if (elements.front().getType() == type)
      return elements;
    Values result = packWords(builder, loc, elements, 32);
    for (Value &word : result)
      if (word.getType() != type)
        word = LLVM::BitcastOp::create(builder, loc, type, word);
    return result;
  }

  Value widened(Value pair) {
    const std::string name = "llvm.nvvm." + std::string(nameOf(element)) + "x2.to.f16x2.rn";
    return LLVM::CallIntrinsicOp::create(builder, loc, registerType(builder, MatrixElement::F16),
                                         builder.getStringAttr(name), pair)
        .getResult(0);
  }

  Values rounded(ArrayRef<uint32_t> fragment) {
    Values result;
    for (uint32_t reg : fragment)
      result.push_back(roundedRegister(reg));
    return result;
  }

  Value roundedRegister(uint32_t reg) {
    if (!big[reg])
      big[reg] = round(registers[reg]);
    return big[reg];
  }

  Value round(Value value) {
    return NVVM::ConvertFloatToTF32Op::create(builder, loc, builder.getI32Type(), value,
                                              NVVM::FPRoundingMode::RNA, NVVM::SaturationMode::NONE,
                                              /*relu=*/false);
  }

  OpBuilder &builder;
  Location loc;
  const std::vector<DotPlan::Fragment> &fragments;
  ValueRange registers;
  MatrixElement element;
  std::vector<Values> words;
  std::vector<std::array<Values, 2>> halves; ///< of f8, as f16
  Values big, small;                         ///< by register of the tensor: rounded to tf32, and the rest
};

/// A register of the sum's type from one of an operand's.
Value widened(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<IntegerType>(type))
    return LLVM::SExtOp::create(builder, loc, type, value);
  return arith::ExtFOp::create(builder, loc, type, value);
}

/// Returns the instruction on f16 that multiplies half of what one on f8 does.
MatrixInstruction onHalves(const MatrixInstruction &instruction) {
  const MatrixShape &shape = instruction.shape;
  return {{shape.m, shape.n, shape.k / 2}, MatrixElement::F16, MatrixElement::F16, instruction.sum};
}

/// Sums whose products in three parts are computed side by side: enough that none waits for the one before.
constexpr size_t SumsInParts = 4;

/// Adds the products of `steps` to `sums` by way of sums that begin at zero.
void addInThreeParts(OpBuilder &builder, Location loc, MatrixCalls &matrix, Packed &a, Packed &b,
                     ArrayRef<DotStep> steps, std::vector<Values> &sums) {
  Value zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
  std::vector<Values> parts(steps.size(), Values(sums.front().size(), zero));
  for (auto [part, step] : llvm::zip_equal(parts, steps))
    part = matrix.call(a.rest(step.a), b[step.b], part);
  for (auto [part, step] : llvm::zip_equal(parts, steps))
    part = matrix.call(a[step.a], b.rest(step.b), part);
  for (auto [part, step] : llvm::zip_equal(parts, steps))
    part = matrix.call(a[step.a], b[step.b], part);
  for (auto [part, step] : llvm::zip_equal(parts, steps))
    for (auto [sum, word] : llvm::zip_equal(sums[step.sum], part))
      sum = arith::AddFOp::create(builder, loc, sum, word);
}

} // namespace

Values emitMatrixDot(OpBuilder &builder, Location loc, const DotPlan &plan,
                     const MatrixInstruction &instruction, OperandForm form, const DotRegisters &registers) {
  Packed a(builder, loc, plan.a, registers.a, instruction.a);
  Packed b(builder, loc, plan.b, registers.b, instruction.b);
  Packed start(builder, loc, plan.sum, registers.sum, instruction.sum);
  MatrixCalls matrix(builder, loc, form == OperandForm::Widened ? onHalves(instruction) : instruction);
  std::vector<Values> sums;
  for (uint32_t fragment = 0; fragment < plan.sum.size(); ++fragment)
    sums.push_back(start[fragment]);
  // One k at a time: each pass over the sums adds to every one once, so that an instruction need not wait for
  // the one before. The small ones of products in three parts come first, and into sums of their own: the
  // unit cuts what it adds off below the largest of its terms, which would cost them their last bits next to
  // a sum of many products. A few sums at a time, as their parts take registers.
  size_t pass = plan.sum.size();
  for (size_t first = 0; first < plan.steps.size(); first += pass) {
    ArrayRef<DotStep> steps = ArrayRef(plan.steps).slice(first, pass);
    switch (form) {
    case OperandForm::Whole:
      for (const DotStep &step : steps)
        sums[step.sum] = matrix.call(a[step.a], b[step.b], sums[step.sum]);
      break;
    case OperandForm::InThreeParts:
      for (size_t group = 0; group < pass; group += SumsInParts)
        addInThreeParts(builder, loc, matrix, a, b, steps.slice(group, std::min(SumsInParts, pass - group)),
                        sums);
      break;
    case OperandForm::Widened:
      for (unsigned half : {0u, 1u})
        for (const DotStep &step : steps)
          sums[step.sum] = matrix.call(a.half(step.a, half), b.half(step.b, half), sums[step.sum]);
      break;
    }
  }
  Type element = registers.sum.front().getType();
  for (Values &sum : sums)
    if (sum.front().getType() != element) {
      for (Value &word : sum)
        word = LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), word);
      sum = unpackWords(builder, loc, sum, element);
    }
  Values results;
  for (const DotPlan::Source &source : plan.results)
    results.push_back(sums[source.fragment][source.reg]);
  return results;
}

Values emitThreadDot(OpBuilder &builder, Location loc, const DotPlan &plan, const DotRegisters &registers) {
  Type type = registers.sum.front().getType();
  Values a, b, sums;
  for (const DotPlan::Fragment &fragment : plan.a)
    a.push_back(widened(builder, loc, registers.a[fragment.front()], type));
  for (const DotPlan::Fragment &fragment : plan.b)
    b.push_back(widened(builder, loc, registers.b[fragment.front()], type));
  for (const DotPlan::Fragment &fragment : plan.sum)
    sums.push_back(registers.sum[fragment.front()]);
  for (const auto &[first, second, sum] : plan.steps) {
    if (isa<IntegerType>(type))
      sums[sum] = LLVM::AddOp::create(builder, loc, sums[sum],
                                      LLVM::MulOp::create(builder, loc, a[first], b[second]));
    else
      sums[sum] = LLVM::FMAOp::create(builder, loc, a[first], b[second], sums[sum]);
  }
  Values results;
  for (const DotPlan::Source &source : plan.results)
    results.push_back(sums[source.fragment]);
  return results;
}

} // namespace tegula
