// The author's claims, which are checked here as nowhere else, and the program's output.
#include "compiler/interp/machine/Machine.h"
#include "compiler/interp/values/Floats.h"
#include "dialect/tile/NameOps.h"
#include "dialect/tile/Tile.h"
#include "dialect/tile/ops/PrintFormat.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace mlir;

namespace tegula::interp {
namespace {

LogicalResult assume(Machine &machine, const Step &step) {
  const Tensor &condition = machine.operand(step, 0);
  if (failed(machine.checkDefined(step, condition, "what the program assumes")))
    return failure();
  if (!condition.bits[0])
    return machine.fail(step, "what the program assumes is false");
  return success();
}

LogicalResult assertion(Machine &machine, const Step &step) {
  const Tensor &condition = machine.operand(step, 0);
  for (size_t i = 0; i < condition.size(); ++i) {
    if (failed(machine.checkDefined(step, condition, "what the program asserts", i)))
      return failure();
    if (!condition.bits[i])
      return machine.fail(step, "assertion failed: " + cast<tile::AssertOp>(step.op).getMessage().str(),
                          condition.type, i);
  }
  return success();
}

/// One of the three lists of `tile.hint` along one dimension: the elements `stride` apart come in groups of
/// `group`, and `holds` compares each with the first of its group.
template <typename Holds>
LogicalResult checkGroups(Machine &machine, const Step &step, size_t dim, int64_t group, const char *what,
                          Holds holds) {
  const Tensor &source = machine.operand(step, 0);
  llvm::ArrayRef<int64_t> shape = shapeOf(source.type);
  const size_t stride = strideOf(shape, dim);
  for (size_t i = 0; i < source.size(); ++i) {
    const size_t along = shape.empty() ? 0 : i / stride % size_t(shape[dim]);
    const size_t first = i - along % size_t(group) * stride;
    if (source.isUndefined(i) || source.isUndefined(first))
      continue;
    if (!holds(source.bits[i], source.bits[first], (i - first) / stride))
      return machine.fail(step,
                          llvm::formatv("the value's {0} is not {1}, as the program claims", what, group),
                          source.type, i);
  }
  return success();
}

/// The multiple that `tile.hint` states along one dimension, of the first of each run of consecutive values.
/// A run is a group of the hint's contiguity; without one it is as long as the values follow each other.
LogicalResult checkDivisibility(Machine &machine, const Step &step, size_t dim, uint64_t divisor,
                                std::optional<int64_t> contiguity, uint64_t unit) {
  const Tensor &source = machine.operand(step, 0);
  const Element element(source.type);
  llvm::ArrayRef<int64_t> shape = shapeOf(source.type);
  const size_t stride = strideOf(shape, dim);
  for (size_t i = 0; i < source.size(); ++i) {
    const size_t along = shape.empty() ? 0 : i / stride % size_t(shape[dim]);
    const auto follows = [&] {
      const size_t before = i - stride;
      return !source.isUndefined(before) && source.bits[i] == ((source.bits[before] + unit) & element.mask());
    };
    const bool isFirst = contiguity ? along % size_t(*contiguity) == 0 : along == 0 || !follows();
    if (isFirst && !source.isUndefined(i) && source.bits[i] % divisor != 0)
      return machine.fail(step,
                          llvm::formatv("the value is no multiple of {0}, as the program claims", divisor),
                          source.type, i);
  }
  return success();
}

LogicalResult hint(Machine &machine, const Step &step) {
  auto op = cast<tile::HintOp>(step.op);
  const Tensor &source = machine.operand(step, 0);
  const Element element(source.type);
  const uint64_t unit = element.kind == Element::Pointer ? Element(tile::pointeeOf(source.type)).bytes()
                                                         : 1; // of a neighbour's step
  const size_t dims = std::max<size_t>(1, shapeOf(source.type).size());
  for (size_t dim = 0; dim < dims; ++dim) {
    const int64_t run = op.getContiguity() ? (*op.getContiguity())[dim] : 1;
    const int64_t equal = op.getConstancy() ? (*op.getConstancy())[dim] : 1;
    if (failed(checkGroups(machine, step, dim, run, "contiguity",
                           [&](uint64_t value, uint64_t first, size_t apart) {
                             return value == ((first + apart * unit) & element.mask());
                           })))
      return failure();
    if (failed(checkGroups(machine, step, dim, equal, "constancy",
                           [](uint64_t value, uint64_t first, size_t) { return value == first; })))
      return failure();
    if (op.getDivisibility() &&
        failed(checkDivisibility(machine, step, dim, uint64_t((*op.getDivisibility())[dim]),
                                 op.getContiguity() ? std::optional(run) : std::nullopt, unit)))
      return failure();
  }
  return passOn(machine, step);
}

/// Returns what printf makes of one conversion.
template <typename Value> std::string converted(const std::string &conversion, Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(conversion.c_str(), value);
  return text;
}

/// An element as printf writes it.
std::string printed(const tile::PrintedElement &how, Element element, uint64_t bits) {
  const std::string conversion = how.conversion.substr(how.conversion.find('%')); // "0x" is in the format
  switch (how.as) {
  case tile::PrintedElement::As::Address:
    return converted(conversion, reinterpret_cast<void *>(bits));
  case tile::PrintedElement::As::Double:
    return converted(conversion, decodeFloat(element.kind, bits));
  case tile::PrintedElement::As::Bits:
    break;
  }
  if (how.isSigned)
    bits = uint64_t(signExtend(bits, element.bits));
  return element.bits > 32 ? converted(conversion, static_cast<unsigned long long>(bits))
                           : converted(conversion, uint32_t(bits));
}

/// `format` with the first conversions, of unsigned indices, replaced by `numbers`; what is left is the last
/// one.
std::string withNumbers(const std::string &format, llvm::ArrayRef<uint32_t> numbers,
                        const std::string &last) {
  std::string line;
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%' || format.compare(at, 2, "%%") == 0) {
      line += format[at];
      at += format[at] == '%' ? 2 : 1;
      continue;
    }
    const size_t end = format.find_first_of("udxfap", at) + 1;
    line += numbers.empty() ? last : converted(format.substr(at, end - at), numbers.front());
    numbers = numbers.drop_front(numbers.empty() ? 0 : 1);
    at = end;
  }
  return line;
}

/// The index of an element along each dimension, as far as they are printed.
void appendIndices(mlir::Type type, size_t element, llvm::SmallVectorImpl<uint32_t> &numbers) {
  llvm::ArrayRef<int64_t> shape = shapeOf(type);
  for (size_t dim = 0; dim < tile::printedIndices(shape.size()); ++dim)
    numbers.push_back(uint32_t(element / strideOf(shape, dim) % size_t(shape[dim])));
}

LogicalResult print(Machine &machine, const Step &step) {
  auto op = cast<tile::PrintOp>(step.op);
  if (!machine.options.print)
    return success();
  const Grid &at = machine.program;
  const llvm::SmallVector<uint32_t> program{at[0], at[1], at[2]};
  if (step.operands.empty())
    machine.options.print(withNumbers(tile::printFormat(op), program, ""));
  for (unsigned n = 0; n < step.operands.size(); ++n) {
    const Tensor &value = machine.operand(step, n);
    const Element element(value.type);
    const std::string format = tile::printFormat(op, n);
    const tile::PrintedElement how =
        tile::printedElement(getElementTypeOrSelf(value.type), op.getIsSigned()[n], op.getHex());
    for (size_t i = 0; i < value.size(); ++i) {
      llvm::SmallVector<uint32_t> numbers(program);
      appendIndices(value.type, i, numbers);
      machine.options.print(withNumbers(
          format, numbers, value.isUndefined(i) ? "undefined" : printed(how, element, value.bits[i])));
    }
  }
  return success();
}

} // namespace

void addHintOps(HandlerTable &table) {
  addHandler<tile::AssumeOp>(table, assume);
  addHandler<tile::AssertOp>(table, assertion);
  addHandler<tile::HintOp>(table, hint);
  addHandler<tile::OptBarrierOp>(table, passOn); // what is known of a value is no part of it
  addHandler<tile::BindOp>(table, doNothing);    // who observes the program looks at its operand
  addHandler<tile::PrintOp>(table, print);
}

} // namespace tegula::interp
