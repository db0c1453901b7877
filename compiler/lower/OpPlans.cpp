#include "compiler/lower/OpPlans.h"
#include "compiler/lower/CombineRegion.h"

#include <bit>

using namespace mlir;

namespace tegula {
namespace {

/// Bytes of an element in shared memory: a truth value takes one, a pointer eight.
unsigned bytesOf(Type tensor) {
  Type element = tile::elementTypeOf(tensor);
  return isa<tile::PtrType>(element) ? 8 : std::max(element.getIntOrFloatBitWidth(), 8u) / 8;
}

} // namespace

unsigned threadBitsOf(unsigned warps) { return LaneBits + unsigned(std::bit_width(warps) - 1); }

ConversionPlan planOf(tile::ConvertLayoutOp op, unsigned threadBits) {
  return planConversion(tile::layoutOf(op.getSource().getType()).getLayout(),
                        tile::layoutOf(op.getType()).getLayout(), threadBits, bytesOf(op.getType()));
}

ReductionPlan planOf(tile::ReduceOp op, unsigned threadBits) {
  SmallVector<unsigned> bytes;
  for (Type type : op.getOperands().getTypes())
    bytes.push_back(bytesOf(type));
  return planReduction(tile::layoutOf(op.getOperands().front().getType()).getLayout(), op.getAxis(),
                       threadBits, bytes, combineTraitsOf(op));
}

} // namespace tegula
