#include "compiler/lower/patterns/SignExpectations.h"
#include "compiler/lower/code/Expectations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {

namespace {

/// An address comes from fewer scalars than this; what is past them is left to `finish`.
constexpr unsigned MaxSources = 256;

/// True where some of `elements` elements are neighbours only on trust.
bool takesOnTrust(const TrustedAccess &access, unsigned elements) {
  return llvm::any_of(llvm::zip_equal(access.trusted, access.proven), [&](auto runs) {
    auto [trusted, proven] = runs;
    return trusted > proven && elements > proven;
  });
}

/// True where some of the groups that a load reads once are there only on trust.
bool groupsOnTrust(const TrustedAccess &access) { return access.trustedGroups != access.provenGroups; }

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
    // A block that the conversion has replaced is in no op until it ends.
    if (auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp()))
      if (OpOperand *initial = loop.getTiedLoopInit(argument))
        reached.insert(initial->get());
  }
  return reached;
}

} // namespace

SignExpectations::SignExpectations(ModuleOp module, const SignTrust &trust) {
  module.walk([&](Operation *op) {
    if (std::optional<HintedAccess> access = trust.hintedOf(op))
      hinted[op] = *access;
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
  Value dividend = scalar->getOperand(0);
  const unsigned bits =
      std::max(dividend.getType().getIntOrFloatBitWidth(), 32u); // there is no register of 8
  emitExpectation(builder, scalar->getLoc(), llvm::formatv("div.s{0}", bits).str(),
                  {dividend, scalar->getOperand(1)}, conditions);
  written.insert(divisionOf.lookup(scalar));
}

void SignExpectations::expect(OpBuilder &builder, Operation *access, ArrayRef<uint32_t> vector,
                              ValueRange pointers, ValueRange masks, Value condition) {
  expectNeighbours(builder, access, vector, pointers, masks, condition);
  auto found = accesses.find(access);
  if (found == accesses.end() || !takesOnTrust(found->second, unsigned(vector.size())))
    return;
  report(found->second, unsigned(vector.size()));
  llvm::DenseSet<Operation *> done;
  auto writeSourcesOf = [&](Value value, ArrayRef<Value> conditions) {
    for (Value source : sourcesOf(value))
      if (Operation *scalar = source.getDefiningOp();
          scalar && divisionOf.contains(scalar) && done.insert(scalar).second)
        write(builder, scalar, conditions);
  };
  Value mask = masks.empty() ? Value() : masks[vector.front()];
  if (mask) // what the mask comes from must hold whether it is true or not
    writeSourcesOf(mask, {condition});
  writeSourcesOf(pointers[vector.front()], {mask, condition});
}

void SignExpectations::tellGroups(Operation *load, unsigned copies) {
  if (auto found = accesses.find(load); found != accesses.end() && copies > 1 && groupsOnTrust(found->second))
    report(found->second, copies);
}

void SignExpectations::expectNeighbours(OpBuilder &builder, Operation *access, ArrayRef<uint32_t> vector,
                                        ValueRange pointers, ValueRange masks, Value condition) {
  auto found = hinted.find(access);
  if (found == hinted.end() || vector.size() <= found->second.unhinted)
    return;
  Location loc = access->getLoc();
  Value mask = masks.empty() ? Value() : masks[vector.front()];
  for (size_t i = 1; i < vector.size(); ++i) {
    Value apart = arith::ConstantIntOp::create(builder, loc, int64_t(i * found->second.elementBytes), 64);
    emitExpectation(builder, loc, "apart.b64", {pointers[vector.front()], pointers[vector[i]], apart},
                    {mask, condition});
    if (mask && masks[vector[i]] != mask)
      emitExpectation(builder, loc, "same.pred", {mask, masks[vector[i]]}, {condition});
  }
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
