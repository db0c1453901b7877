#include "test/compiler/lower/math/Evaluator.h"
#include "compiler/lower/Passes.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/TypeSwitch.h"
#include <bit>
#include <cmath>

using namespace mlir;

namespace tegula::test {

namespace {

using Step = Evaluator::Step;

//===-- Numbers in registers ----------------------------------------------===//

template <typename T> T get(uint64_t bits) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(static_cast<uint32_t>(bits));
  else
    return std::bit_cast<T>(bits);
}

uint64_t put(float x) { return std::bit_cast<uint32_t>(x); }
uint64_t put(double x) { return std::bit_cast<uint64_t>(x); }

uint64_t cut(uint64_t value, unsigned bits) { return bits == 64 ? value : value & ((uint64_t(1) << bits) - 1); }

int64_t withSign(uint64_t value, unsigned bits) { return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits); }

/// A float of any format as a double, and a double rounded to it.
double widen(uint64_t bits, const llvm::fltSemantics &format) {
  if (&format == &APFloat::IEEEsingle())
    return get<float>(bits);
  APFloat value(format, APInt(APFloat::getSizeInBits(format), bits));
  bool lost;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

uint64_t narrow(double x, const llvm::fltSemantics &format) {
  APFloat value(x);
  bool lost;
  value.convert(format, APFloat::rmNearestTiesToEven, &lost);
  return value.bitcastToAPInt().getZExtValue();
}

/// `exact` off by `relative`, up or down by chance of the operand; zeros, infinities and NaN are exact.
float offBy(double exact, double relative, uint64_t operand, Approximation approximation) {
  if (approximation == Approximation::Exact || exact == 0 || !std::isfinite(exact))
    return static_cast<float>(exact);
  bool up = (operand * 0x9e3779b97f4a7c15u >> 40) & 1;
  return static_cast<float>(exact * (up ? 1 + relative : 1 - relative));
}

/// Returns the element type of a value, which is a scalar or a tensor of one element.
Type element(Value value) { return getElementTypeOrSelf(value.getType()); }
unsigned width(Value value) { return element(value).getIntOrFloatBitWidth(); }

const llvm::fltSemantics *format(Value value) { return &cast<FloatType>(element(value)).getFloatSemantics(); }

template <typename T> bool compareFloats(arith::CmpFPredicate predicate, T a, T b) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OEQ: return a == b;
  case P::OLT: return a < b;
  case P::OLE: return a <= b;
  case P::OGT: return a > b;
  case P::OGE: return a >= b;
  case P::UNE: return a != b;
  case P::ORD: return a == a && b == b;
  default: llvm::report_fatal_error("the evaluator does not know this comparison of floats");
  }
}

bool compareIntegers(arith::CmpIPredicate predicate, uint64_t a, uint64_t b, unsigned bits) {
  using P = arith::CmpIPredicate;
  int64_t sa = withSign(a, bits), sb = withSign(b, bits);
  switch (predicate) {
  case P::eq: return a == b;
  case P::ne: return a != b;
  case P::slt: return sa < sb;
  case P::sle: return sa <= sb;
  case P::sgt: return sa > sb;
  case P::sge: return sa >= sb;
  case P::ult: return a < b;
  default: llvm::report_fatal_error("the evaluator does not know this comparison of integers");
  }
}

template <typename T> T minimum(T a, T b) { return a != a || b != b ? a + b : a < b ? a : b; }
template <typename T> T maximum(T a, T b) { return a != a || b != b ? a + b : a > b ? a : b; }

//===-- From ops to steps -------------------------------------------------===//

struct Translator {
  std::vector<uint64_t> &registers;
  DenseMap<Value, unsigned> places = DenseMap<Value, unsigned>();
  std::string unknown = {};
  size_t instructions = 0; ///< regions with their own

  unsigned define(Value value) {
    places[value] = registers.size();
    registers.push_back(0);
    return places[value];
  }

  template <typename T, typename F> Step floats(Operation *op, F function) {
    unsigned count = op->getNumOperands();
    unsigned a = places[op->getOperand(0)], b = places[op->getOperand(count > 1 ? 1 : 0)],
             c = places[op->getOperand(count > 2 ? 2 : 0)], r = define(op->getResult(0));
    return [=](uint64_t *v, Approximation) { v[r] = put(function(get<T>(v[a]), get<T>(v[b]), get<T>(v[c]))); };
  }

  /// One function of up to three floats, in f32 or f64.
  template <typename F> Step floats(Operation *op, F function) {
    bool isSingle = element(op->getResult(0)).isF32();
    return isSingle ? floats<float>(op, function) : floats<double>(op, function);
  }

  template <typename F> Step integers(Operation *op, F function) {
    unsigned bits = width(op->getResult(0));
    unsigned from = width(op->getOperand(0));
    unsigned a = places[op->getOperand(0)], b = places[op->getOperand(op->getNumOperands() - 1)],
             r = define(op->getResult(0));
    return [=](uint64_t *v, Approximation) { v[r] = cut(function(v[a], v[b], from), bits); };
  }

  Step constant(arith::ConstantOp op) {
    unsigned r = define(op);
    Attribute value = op.getValue();
    if (auto splat = dyn_cast<SplatElementsAttr>(value))
      value = splat.getSplatValue<Attribute>();
    if (auto number = dyn_cast<FloatAttr>(value))
      registers[r] = number.getValue().bitcastToAPInt().getZExtValue();
    else
      registers[r] = cast<IntegerAttr>(value).getValue().getZExtValue();
    return nullptr;
  }

  Step quickly(Operation *op, double relative, double (*function)(double, double)) {
    unsigned a = places[op->getOperand(0)], b = places[op->getOperand(op->getNumOperands() - 1)],
             r = define(op->getResult(0));
    return [=](uint64_t *v, Approximation approximation) {
      v[r] = put(offBy(function(get<float>(v[a]), get<float>(v[b])), relative, v[a] ^ v[b] << 7, approximation));
    };
  }

  Step compare(arith::CmpFOp op) {
    unsigned a = places[op.getLhs()], b = places[op.getRhs()], r = define(op);
    arith::CmpFPredicate p = op.getPredicate();
    const llvm::fltSemantics *type = format(op.getLhs());
    return [=](uint64_t *v, Approximation) { v[r] = compareFloats(p, widen(v[a], *type), widen(v[b], *type)); };
  }

  Step compare(arith::CmpIOp op) {
    unsigned a = places[op.getLhs()], b = places[op.getRhs()], r = define(op);
    unsigned bits = width(op.getLhs());
    arith::CmpIPredicate p = op.getPredicate();
    return [=](uint64_t *v, Approximation) { v[r] = compareIntegers(p, v[a], v[b], bits); };
  }

  Step convert(Operation *op, bool isSigned) {
    unsigned a = places[op->getOperand(0)], r = define(op->getResult(0));
    unsigned bits = width(op->getOperand(0));
    bool isSingle = element(op->getResult(0)).isF32();
    return [=](uint64_t *v, Approximation) {
      if (isSigned)
        v[r] = isSingle ? put(static_cast<float>(withSign(v[a], bits))) : put(static_cast<double>(withSign(v[a], bits)));
      else
        v[r] = isSingle ? put(static_cast<float>(v[a])) : put(static_cast<double>(v[a]));
    };
  }

  Step reformat(Operation *op) {
    unsigned a = places[op->getOperand(0)], r = define(op->getResult(0));
    const llvm::fltSemantics *from = format(op->getOperand(0)), *to = format(op->getResult(0));
    return [=](uint64_t *v, Approximation) { v[r] = narrow(widen(v[a], *from), *to); };
  }

  Step copySign(math::CopySignOp op) {
    unsigned a = places[op.getLhs()], b = places[op.getRhs()], r = define(op);
    uint64_t sign = uint64_t(1) << (width(op) - 1);
    return [=](uint64_t *v, Approximation) { v[r] = (v[a] & ~sign) | (v[b] & sign); };
  }

  Step absolute(math::AbsFOp op) {
    unsigned a = places[op.getOperand()], r = define(op);
    uint64_t sign = uint64_t(1) << (width(op) - 1);
    return [=](uint64_t *v, Approximation) { v[r] = v[a] & ~sign; };
  }

  Step select(arith::SelectOp op) {
    unsigned c = places[op.getCondition()], a = places[op.getTrueValue()], b = places[op.getFalseValue()], r = define(op);
    return [=](uint64_t *v, Approximation) { v[r] = v[c] ? v[a] : v[b]; };
  }

  Step multiplyWide(arith::MulUIExtendedOp op) {
    unsigned a = places[op.getLhs()], b = places[op.getRhs()], low = define(op.getLow()), high = define(op.getHigh());
    unsigned bits = width(op.getLow());
    return [=](uint64_t *v, Approximation) {
      auto product = static_cast<unsigned __int128>(v[a]) * v[b];
      v[low] = cut(static_cast<uint64_t>(product), bits);
      v[high] = cut(static_cast<uint64_t>(product >> bits), bits);
    };
  }

  Step floatStep(Operation *op) {
    return llvm::TypeSwitch<Operation *, Step>(op)
        .Case([&](arith::AddFOp) { return floats(op, [](auto a, auto b, auto) { return a + b; }); })
        .Case([&](arith::SubFOp) { return floats(op, [](auto a, auto b, auto) { return a - b; }); })
        .Case([&](arith::MulFOp) { return floats(op, [](auto a, auto b, auto) { return a * b; }); })
        .Case([&](arith::DivFOp divide) {
          if (divide.getFastmath() == arith::FastMathFlags::none)
            return floats(op, [](auto a, auto b, auto) { return a / b; });
          bool reciprocal = bitEnumContainsAny(divide.getFastmath(), arith::FastMathFlags::arcp);
          return quickly(op, reciprocal ? 0x1p-23 : 0x1p-22, [](double a, double b) { return a / b; });
        })
        .Case([&](arith::NegFOp) { return floats(op, [](auto a, auto, auto) { return -a; }); })
        .Case([&](arith::MinimumFOp) { return floats(op, [](auto a, auto b, auto) { return minimum(a, b); }); })
        .Case([&](arith::MaximumFOp) { return floats(op, [](auto a, auto b, auto) { return maximum(a, b); }); })
        .Case([&](math::FmaOp) { return floats(op, [](auto a, auto b, auto c) { return std::fma(a, b, c); }); })
        .Case([&](math::SqrtOp) { return floats(op, [](auto a, auto, auto) { return std::sqrt(a); }); })
        .Case([&](math::TruncOp) { return floats(op, [](auto a, auto, auto) { return std::trunc(a); }); })
        .Case([&](math::ExpOp) {
          return quickly(op, 0x1p-22, [](double a, double) { return std::exp2(double(float(a) * 1.442695041f)); });
        })
        .Case([&](math::Exp2Op) { return quickly(op, 0x1p-22, [](double a, double) { return std::exp2(a); }); })
        .Case([&](math::RsqrtOp) {
          return quickly(op, 0x1.2p-23, [](double a, double) { return 1 / std::sqrt(a); });
        })
        .Case([&](math::CopySignOp copy) { return copySign(copy); })
        .Case([&](math::AbsFOp absolute) { return this->absolute(absolute); })
        .Default([](Operation *) { return Step(); });
  }

  Step integerStep(Operation *op) {
    using U = uint64_t;
    return llvm::TypeSwitch<Operation *, Step>(op)
        .Case([&](arith::AddIOp) { return integers(op, [](U a, U b, U) { return a + b; }); })
        .Case([&](arith::SubIOp) { return integers(op, [](U a, U b, U) { return a - b; }); })
        .Case([&](arith::MulIOp) { return integers(op, [](U a, U b, U) { return a * b; }); })
        .Case([&](arith::DivUIOp) { return integers(op, [](U a, U b, U) { return a / b; }); })
        .Case([&](arith::AndIOp) { return integers(op, [](U a, U b, U) { return a & b; }); })
        .Case([&](arith::OrIOp) { return integers(op, [](U a, U b, U) { return a | b; }); })
        .Case([&](arith::XOrIOp) { return integers(op, [](U a, U b, U) { return a ^ b; }); })
        // A shift by the width or more is poison: shown as a result that is surely wrong.
        .Case([&](arith::ShLIOp) { return integers(op, [](U a, U b, U n) { return b < n ? a << b : 0x5a5a5a5a; }); })
        .Case([&](arith::ShRUIOp) { return integers(op, [](U a, U b, U n) { return b < n ? a >> b : 0x5a5a5a5a; }); })
        .Case([&](arith::ShRSIOp) {
          return integers(op, [](U a, U b, U n) { return b < n ? U(withSign(a, n) >> b) : 0x5a5a5a5a; });
        })
        .Case<arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp>([&](Operation *) {
          return integers(op, [](U a, U, U) { return a; });
        })
        .Case([&](arith::MulUIExtendedOp wide) { return multiplyWide(wide); })
        .Default([](Operation *) { return Step(); });
  }

  /// The steps of a block up to its terminator; constants go into the registers at once.
  std::vector<Step> block(Block &block) {
    std::vector<Step> steps;
    for (Operation &op : block.without_terminator()) {
      if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
        this->constant(constant);
        continue;
      }
      ++instructions;
      if (Step made = step(&op))
        steps.push_back(std::move(made));
      else
        unknown += "the evaluator does not know `" + op.getName().getStringRef().str() + "`\n";
    }
    return steps;
  }

  Step branch(scf::IfOp op) {
    std::vector<Step> sides[2] = {block(*op.elseBlock()), block(*op.thenBlock())};
    std::vector<unsigned> yielded[2], results;
    for (auto [a, b] : llvm::zip(op.elseYield().getOperands(), op.thenYield().getOperands())) {
      yielded[0].push_back(places[a]);
      yielded[1].push_back(places[b]);
    }
    for (Value value : op.getResults())
      results.push_back(define(value));
    unsigned condition = places[op.getCondition()];
    return [=](uint64_t *v, Approximation approximation) {
      bool taken = v[condition];
      for (const Step &step : sides[taken])
        step(v, approximation);
      for (size_t i = 0; i < results.size(); ++i)
        v[results[i]] = v[yielded[taken][i]];
    };
  }

  /// The region, for the one element that each operand has.
  Step map(tile::MapOp op) {
    Block &body = op.getBody().front();
    std::vector<unsigned> operands, arguments, yielded, results;
    for (auto [operand, argument] : llvm::zip(op.getOperands(), body.getArguments())) {
      operands.push_back(places[operand]);
      arguments.push_back(define(argument));
    }
    std::vector<Step> steps = block(body);
    for (auto [value, result] : llvm::zip(body.getTerminator()->getOperands(), op.getResults())) {
      yielded.push_back(places[value]);
      results.push_back(define(result));
    }
    return [=](uint64_t *v, Approximation approximation) {
      for (size_t i = 0; i < operands.size(); ++i)
        v[arguments[i]] = v[operands[i]];
      for (const Step &step : steps)
        step(v, approximation);
      for (size_t i = 0; i < results.size(); ++i)
        v[results[i]] = v[yielded[i]];
    };
  }

  Step step(Operation *op) {
    return llvm::TypeSwitch<Operation *, Step>(op)
        .Case([&](tile::MapOp map) { return this->map(map); })
        .Case<arith::CmpFOp, arith::CmpIOp>([&](auto comparison) { return compare(comparison); })
        .Case([&](scf::IfOp choice) { return branch(choice); })
        .Case([&](arith::SelectOp choice) { return select(choice); })
        .Case([&](arith::SIToFPOp) { return convert(op, true); })
        .Case([&](arith::UIToFPOp) { return convert(op, false); })
        .Case<arith::ExtFOp, arith::TruncFOp>([&](Operation *) { return reformat(op); })
        .Default([&](Operation *) {
          Step made = floatStep(op);
          return made ? made : integerStep(op);
        });
  }
};

} // namespace

//===-- The program -------------------------------------------------------===//

Evaluator::Evaluator(const std::string &text, const std::vector<std::string> &argumentTypes,
                     const std::string &resultType) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    problem += diagnostic.str() + "\n";
    return success();
  });

  std::string source = "func.func @f(%x: " + argumentTypes[0];
  if (argumentTypes.size() > 1)
    source += ", %y: " + argumentTypes[1];
  source += ") -> " + resultType + " {\n" + text + "\nreturn %r : " + resultType + "\n}\n";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return;
  PassManager passes(&context);
  passes.addPass(createExpandMathPass());
  if (failed(passes.run(*module)))
    return;

  auto function = cast<func::FuncOp>(module->getBody()->front());
  Translator translator{initial};
  argumentCount = function.getNumArguments();
  for (Value argument : function.getArguments())
    translator.define(argument);
  code = translator.block(function.getBody().front());
  instructions = translator.instructions;
  problem += translator.unknown;
  result = translator.places[function.getBody().front().getTerminator()->getOperand(0)];
}

uint64_t Evaluator::run(const std::vector<uint64_t> &arguments, Approximation approximation) const {
  std::vector<uint64_t> registers = initial;
  std::copy(arguments.begin(), arguments.end(), registers.begin());
  for (const Step &step : code)
    step(registers.data(), approximation);
  return registers[result];
}

} // namespace tegula::test
