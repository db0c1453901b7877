#include "compiler/interp/machine/ArgumentNames.h"

#include "dialect/tile/Tile.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdlib>

using namespace mlir;

namespace tegula::interp {
namespace {

using Values = llvm::SetVector<Value>;

/// Adds the pointers among `values`.
void addPointers(Values &found, ValueRange values) {
  for (Value value : values)
    if (isa<tile::PtrType>(getElementTypeOrSelf(value.getType())))
      found.insert(value);
}

/// Adds what the values of `op`, and the arguments of its regions, are made of.
void addOperandsOf(Values &found, Operation *op) {
  addPointers(found, op->getOperands());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator())
        addPointers(found, block.getTerminator()->getOperands());
}

/// An element of an argument.
struct ArgumentElement {
  unsigned number;
  int64_t index;
  uint64_t distance;  ///< bytes from the memory that the argument points to
  std::string length; ///< " of 60", where that is known
};

ArgumentElement elementOf(Machine &machine, BlockArgument argument, uint64_t address) {
  const uint64_t pointer = machine.arguments[argument.getArgNumber()];
  const auto bytes = int64_t(Element(tile::pointeeOf(argument.getType())).bytes());
  const auto offset = int64_t(address - pointer);
  ArgumentElement element{argument.getArgNumber(),
                          (offset - (offset < 0 ? bytes - 1 : 0)) / bytes,
                          uint64_t(std::abs(offset)),
                          {}};
  const Allocation *const memory = machine.memory.find(pointer, 1);
  if (!memory)
    return element;
  const uint64_t end = memory->base + memory->size;
  element.length = llvm::formatv(" of {0}", (end - pointer) / uint64_t(bytes));
  element.distance = address < memory->base ? memory->base - address : address < end ? 0 : address - end;
  return element;
}

} // namespace

std::string addressName(Machine &machine, const Step &step, uint64_t address) {
  const std::string name = llvm::formatv("{0:x}", address);
  Values values;
  addPointers(values, step.op->getOperands());
  std::optional<ArgumentElement> nearest;
  func::FuncOp kernel;
  for (size_t i = 0; i < values.size(); ++i) {
    auto argument = dyn_cast<BlockArgument>(values[i]);
    Operation *const maker = argument ? argument.getOwner()->getParentOp() : values[i].getDefiningOp();
    auto function = dyn_cast<func::FuncOp>(maker);
    if (!function) {
      addOperandsOf(values, maker);
      continue;
    }
    ArgumentElement element = elementOf(machine, argument, address);
    if (!nearest || element.distance < nearest->distance)
      nearest = std::move(element);
    kernel = function;
  }
  auto parameter =
      nearest ? kernel.getArgAttrOfType<tile::ParamAttr>(nearest->number, "tile.param") : tile::ParamAttr();
  if (!parameter)
    return name;
  return llvm::formatv("{0}, `{1}[{2}]`{3}", name, parameter.getName(), nearest->index, nearest->length);
}

} // namespace tegula::interp
