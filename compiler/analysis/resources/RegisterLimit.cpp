#include "compiler/analysis/resources/RegisterLimit.h"

#include "compiler/analysis/plans/Executor.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

uint32_t registersWithWarps(unsigned warps, const Target &target) {
  constexpr uint32_t parts = Target::partsPerMultiprocessor;
  const uint32_t ofPart = target.registersPerMultiprocessor / (parts * target.warpSize);
  const uint32_t share = ofPart / ((warps + parts - 1) / parts);
  return std::min(target.maxRegistersPerThread, share - share % (target.registerUnit / target.warpSize));
}

uint32_t registerLimit(Operation *op, const Target &target) {
  func::FuncOp kernel = functionOf(op);
  auto asked = kernel ? kernel->getAttrOfType<IntegerAttr>("tile.registers") : IntegerAttr();
  const uint32_t most = asked ? uint32_t(asked.getInt()) : target.maxRegistersPerThread;
  return std::min(registersWithWarps(warpsOfBlock(op), target), most);
}

unsigned residentBlocks(unsigned warps, uint32_t registers, uint64_t sharedBytes, const Target &target) {
  unsigned blocks = 1;
  while ((blocks + 1) * sharedBytes <= target.sharedPerMultiprocessor &&
         registersWithWarps((blocks + 1) * warps, target) >= registers)
    ++blocks;
  return blocks;
}

} // namespace tegula
