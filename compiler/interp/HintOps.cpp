// What the author claims, which is checked here as nowhere else, and what the program says.
#include "compiler/interp/Floats.h"
#include "compiler/interp/Machine.h"
#include "dialect/tile/Tile.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace mlir;

namespace tegula::interp {
namespace {

LogicalResult assume(Machine &machine, const Step &step) {
  const Tensor &condition = machine.operand(step, 0);
  if (condition.isUndefined(0))
    return machine.fail(step, std::string("what the program assumes is undefined") + undefinedHint);
  if (!condition.bits[0])
    return machine.fail(step, "what the program assumes is false");
  return success();
}

LogicalResult assertion(Machine &machine, const Step &step) {
  const Tensor &condition = machine.operand(step, 0);
  for (size_t i = 0; i < condition.size(); ++i) {
    if (condition.isUndefined(i))
      return machine.fail(step, std::string("what the program asserts is undefined") + undefinedHint,
                          condition.type, i);
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
  machine.setResult(step, source);
  return success();
}

/// What is known of a value is no part of it.
LogicalResult optBarrier(Machine &machine, const Step &step) {
  machine.setResult(step, machine.operand(step, 0));
  return success();
}

/// A value as the device's printf writes it.
std::string printed(Element element, uint64_t bits, bool isSigned, bool hex) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (element.kind == Element::Pointer)
    out << llvm::format("0x%016llx", static_cast<unsigned long long>(bits));
  else if (hex)
    out << "0x" << llvm::format_hex_no_prefix(bits, (element.bits + 3) / 4);
  else if (element.isFloat())
    out << llvm::format("%f", decodeFloat(element.kind, bits));
  else if (isSigned && element.bits > 1)
    out << signExtend(bits, element.bits);
  else
    out << bits;
  return text;
}

LogicalResult print(Machine &machine, const Step &step) {
  auto op = cast<tile::PrintOp>(step.op);
  if (!machine.options.print)
    return success();
  const Grid &at = machine.program;
  const std::string program = llvm::formatv("pid ({0}, {1}, {2}) ", at[0], at[1], at[2]);
  if (step.operands.empty())
    machine.options.print(program + op.getPrefix().str() + "\n");
  for (unsigned n = 0; n < step.operands.size(); ++n) {
    const Tensor &value = machine.operand(step, n);
    const std::string label = op.getPrefix().str() + ": " +
                              (step.operands.size() > 1 ? llvm::formatv("(operand {0}) ", n).str() : "");
    const Element element(value.type);
    for (size_t i = 0; i < value.size(); ++i) {
      const std::string name = elementName(value.type, i);
      machine.options.print(program + (name.empty() ? "" : "idx " + name + " ") + label +
                            (value.isUndefined(i)
                                 ? "undefined"
                                 : printed(element, value.bits[i], op.getIsSigned()[n], op.getHex())) +
                            "\n");
    }
  }
  return success();
}

} // namespace

void addHintOps(HandlerTable &table) {
  addHandler<tile::AssumeOp>(table, assume);
  addHandler<tile::AssertOp>(table, assertion);
  addHandler<tile::HintOp>(table, hint);
  addHandler<tile::OptBarrierOp>(table, optBarrier);
  addHandler<tile::PrintOp>(table, print);
}

} // namespace tegula::interp
