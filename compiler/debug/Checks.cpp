#include "compiler/debug/Checks.h"

#include "dialect/tile/Tile.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using tegula::interp::Element;
using tegula::interp::Tensor;

namespace tegula::debug {

namespace {

enum class Class : uint8_t { Finite, Infinite, Nan };

/// The bits of a float's parts.
struct Parts {
  uint64_t exponent, fraction;
};

Parts partsOf(Element::Kind kind) {
  switch (kind) {
  case Element::Float16:
    return {0x7c00, 0x3ff};
  case Element::BFloat16:
    return {0x7f80, 0x7f};
  case Element::Float32:
    return {0x7f800000, 0x7fffff};
  case Element::Float64:
    return {0x7ff0000000000000, 0xfffffffffffff};
  case Element::Float8E5M2:
    return {0x7c, 3};
  case Element::Float8E4M3:
    return {0x7f, 0x7f}; // no infinities
  case Element::Integer:
  case Element::Pointer:
    break;
  }
  return {};
}

/// Classifies the bits of a float without decoding it.
Class classify(Parts parts, uint64_t bits) {
  if (!parts.exponent || (bits & parts.exponent) != parts.exponent)
    return Class::Finite;
  return bits & parts.fraction ? Class::Nan : Class::Infinite;
}

/// Returns true if the op makes values of its own from floats.
bool computes(Operation *op) {
  if (isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op))
    return false;
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
         isa<tile::DotOp, tile::ReduceOp, tile::ScanOp, tile::MapOp, tile::RoundedOp>(op);
}

/// Returns true if an operand explains that element `index` of the result is of class `found`: an operand's
/// own element where the op goes element by element, else any.
bool isExplained(const interp::Moment &moment, const Tensor &result, size_t index, Class found) {
  for (unsigned i = 0; i < moment.op()->getNumOperands(); ++i) {
    const Tensor &operand = moment.operand(i);
    const Element element(operand.type);
    if (!element.isFloat())
      continue;
    const Parts parts = partsOf(element.kind);
    const bool isElementwise =
        operand.size() == result.size() && !isa<tile::ScanOp, tile::DotOp>(moment.op());
    const size_t first = isElementwise ? index : 0, last = isElementwise ? index + 1 : operand.size();
    for (size_t at = first; at < last; ++at)
      if (!operand.isUndefined(at) && classify(parts, operand.bits[at]) != Class::Finite &&
          (found == Class::Infinite || classify(parts, operand.bits[at]) == Class::Nan))
        return true;
  }
  return false;
}

} // namespace

std::optional<Finding> findNotFinite(const interp::Moment &moment) {
  Operation *op = moment.op();
  if (!op->getNumResults() || !computes(op))
    return std::nullopt;
  for (unsigned number = 0; number < op->getNumResults(); ++number) {
    const Tensor &result = moment.result(number);
    const Element element(result.type);
    if (!element.isFloat())
      continue;
    const Parts parts = partsOf(element.kind);
    for (size_t i = 0; i < result.size(); ++i) {
      const Class found = classify(parts, result.bits[i]);
      if (found == Class::Finite || result.isUndefined(i) || isExplained(moment, result, i, found))
        continue;
      return Finding{found == Class::Nan ? std::string(nanIsMade)
                                         : "an infinity is made here of finite values",
                     number, i};
    }
  }
  return std::nullopt;
}

namespace {

bool isSumOrProduct(Operation *op) { return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op); }

/// Finds an element of a sum, difference or product of integers that does not fit.
std::optional<Finding> findUnfit(const interp::Moment &moment, unsigned bits, bool isSigned,
                                 llvm::StringRef what) {
  Operation *op = moment.op();
  const Tensor &result = moment.result(0), &left = moment.operand(0), &right = moment.operand(1);
  const auto read = [&](uint64_t value) {
    return isSigned ? __int128(interp::signExtend(value, bits)) : __int128(value);
  };
  const auto word = [&](uint64_t value) {
    return isSigned ? std::to_string(interp::signExtend(value, bits)) : std::to_string(value);
  };
  const bool isSum = isa<arith::AddIOp>(op), isDifference = isa<arith::SubIOp>(op);
  for (size_t i = 0; i < result.size(); ++i) {
    if (result.isUndefined(i))
      continue;
    const __int128 a = read(left.bits[i]), b = read(right.bits[i]);
    __int128 exact = 0;
    const bool fits = isSum          ? !__builtin_add_overflow(a, b, &exact)
                      : isDifference ? !__builtin_sub_overflow(a, b, &exact)
                                     : !__builtin_mul_overflow(a, b, &exact);
    if (!fits || exact != read(result.bits[i]))
      return Finding{llvm::formatv("{0}: {1} {2} {3} becomes {4}", what, word(left.bits[i]),
                                   isSum          ? "+"
                                   : isDifference ? "-"
                                                  : "*",
                                   word(right.bits[i]), word(result.bits[i])),
                     0, i};
  }
  return std::nullopt;
}

/// Returns true if a value is an integer without a sign: a name says so, or an op that uses it.
bool isUnsigned(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (auto bind = dyn_cast<tile::BindOp>(user))
      return bind.getType().starts_with("uint");
    if (auto comparison = dyn_cast<arith::CmpIOp>(user))
      return comparison.getPredicate() >= arith::CmpIPredicate::ult;
    return isa<arith::ExtUIOp, arith::UIToFPOp, arith::DivUIOp, arith::RemUIOp, arith::ShRUIOp,
               arith::MaxUIOp, arith::MinUIOp>(user);
  });
}

} // namespace

std::optional<Finding> findOverflow(const interp::Moment &moment, AddressRole role) {
  if (role == AddressRole::None || !isSumOrProduct(moment.op()) || Element(moment.result(0).type).bits != 32)
    return std::nullopt;
  return findUnfit(moment, 32, role == AddressRole::Signed, "an offset of 32 bits overflows");
}

std::optional<Finding> findWrap(const interp::Moment &moment) {
  Operation *op = moment.op();
  const unsigned bits = isSumOrProduct(op) ? Element(moment.result(0).type).bits : 0;
  if (bits < 8)
    return std::nullopt;
  const bool hasNoSign =
      isUnsigned(op->getResult(0)) || isUnsigned(op->getOperand(0)) || isUnsigned(op->getOperand(1));
  const std::string type = (hasNoSign ? "uint" : "int") + std::to_string(bits);
  return findUnfit(moment, bits, !hasNoSign, "a number of " + type + " wraps");
}

} // namespace tegula::debug
