#include "compiler/lower/patterns/SignExpectations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {

namespace {

/// An address comes from fewer scalars than this; what lies behind is left to `finish`.
constexpr unsigned MaxSources = 256;

/// True where some of `elements` elements are neighbours only on trust.
bool takesOnTrust(const TrustedAccess &access, unsigned elements) {
  return llvm::any_of(llvm::zip_equal(access.trusted, access.proven), [&](auto runs) {
    auto [trusted, proven] = runs;
    return trusted > proven && elements > proven;
  });
}

/// The scalars that `value` is computed from, nearest first; through a loop's argument, from what it begins
/// with.
llvm::SmallSetVector<Value, 16> sourcesOf(Value value) {
  llvm::SmallSetVector<Value, 16> reached;
  reached.insert(value);
  for (unsigned i = 0; i < reached.size() && reached.size() < MaxSources; ++i) {
    if (Operation *op = reached[i].getDefiningOp()) {
      if (op->getNumRegions() == 0)
        reached.insert(op->operand_begin(), op->operand_end());
      continue;
    }
    auto argument = cast<BlockArgument>(reached[i]);
    // A block that the conversion has replaced stands in no op until it ends.
    if (auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp()))
      if (OpOperand *initial = loop.getTiedLoopInit(argument))
        reached.insert(initial->get());
  }
  return reached;
}

} // namespace

SignExpectations::SignExpectations(ModuleOp module, const SignTrust &trust) {
  module.walk([&](Operation *op) {
    std::optional<TrustedAccess> access = trust.of(op);
    if (!access)
      return;
    for (const TrustedDivision &division : access->divisions)
      if (!division.unlessOverflow)
        scalars[division.op];
    accesses[op] = std::move(*access);
  });
}

void SignExpectations::note(Operation *division, Operation *scalar) {
  auto found = scalars.find(division);
  if (found == scalars.end())
    return;
  found->second.push_back(scalar);
  divisionOf[scalar] = division;
}

void SignExpectations::report(const TrustedAccess &access, unsigned elements) {
  for (const TrustedDivision &division : access.divisions) {
    if (!needed.insert(division.op).second)
      continue;
    auto options = remark::RemarkOpts::name("sign").category("trust");
    StringRef sign = isa<arith::RemSIOp>(division.op) ? "%" : "//";
    StringRef why = division.unlessOverflow ? ", since nothing that it is made of is" : "";
    remark::analysis(division.op->getLoc(), options) << remark::add(
        "trusted not to be negative{0}: what `{1}` divides; an access takes {2} elements at once", why, sign,
        elements);
  }
}

void SignExpectations::write(OpBuilder &builder, Operation *scalar, ArrayRef<Value> conditions) {
  Location loc = scalar->getLoc();
  Value dividend = scalar->getOperand(0), divisor = scalar->getOperand(1);
  unsigned width = dividend.getType().getIntOrFloatBitWidth(), bits = std::max(width, 32u);
  SmallVector<Value, 3> operands;
  std::string constraints;
  auto add = [&](Value value, StringRef constraint) {
    operands.push_back(value);
    constraints += (constraints.empty() ? "" : ",") + constraint.str();
    return "$" + std::to_string(operands.size() - 1);
  };
  auto number = [&](Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return std::to_string(constant.getSExtValue());
    if (width < bits) // there is no register of 8 bits
      value = arith::ExtSIOp::create(builder, loc, builder.getIntegerType(bits), value);
    return add(value, bits == 64 ? "l" : "r");
  };
  std::string text =
      llvm::formatv("//tegula: expect.div.s{0} {1}, {2}", bits, number(dividend), number(divisor));
  for (Value condition : conditions)
    if (condition)
      text += ", " + add(condition, "b");
  LLVM::InlineAsmOp::create(builder, loc, TypeRange(), operands, text + ";", constraints,
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  written.insert(divisionOf.lookup(scalar));
}

void SignExpectations::expect(OpBuilder &builder, Operation *access, unsigned elements, Value address,
                              Value mask, Value condition) {
  auto found = accesses.find(access);
  if (found == accesses.end() || !takesOnTrust(found->second, elements))
    return;
  report(found->second, elements);
  llvm::DenseSet<Operation *> done;
  auto writeSourcesOf = [&](Value value, ArrayRef<Value> conditions) {
    for (Value source : sourcesOf(value))
      if (Operation *scalar = source.getDefiningOp();
          scalar && divisionOf.contains(scalar) && done.insert(scalar).second)
        write(builder, scalar, conditions);
  };
  if (mask) // what the mask comes from must hold whether it is true or not
    writeSourcesOf(mask, {condition});
  writeSourcesOf(address, {mask, condition});
}

void SignExpectations::finish(MLIRContext *context) {
  for (auto &[division, copies] : scalars)
    if (needed.contains(division) && !written.contains(division))
      for (Operation *scalar : copies) {
        OpBuilder builder(context);
        builder.setInsertionPointAfter(scalar);
        write(builder, scalar, {});
      }
}

} // namespace tegula
