#include "compiler/interp/machine/Boxes.h"

#include "dialect/layout/UnitMemory.h"

using namespace mlir;

namespace tegula::interp {

BlockPlaces::BlockPlaces(Type type)
    : addresses(tile::withElementType(type, tile::PtrType::get(tile::elementTypeOf(type)))),
      inside(tile::withElementType(type, IntegerType::get(type.getContext(), 1))) {}

BlockPlaces placesInBox(const Machine &machine, const Step &step, unsigned map, unsigned start, size_t axes,
                        tgpu::BufferType type) {
  const Tensor &array = machine.operand(step, map); // base, sizes, strides
  const unsigned contiguous = asTmaBoxes(type.getLayout().getLayout(), type.getElementBytes())->contiguous;
  const int64_t columns = type.getShape()[1];
  BlockPlaces places(type.getTensor());
  for (size_t i = 0; i < places.addresses.size(); ++i) {
    const int64_t place[] = {int64_t(i) / columns, int64_t(i) % columns};
    bool isInside = true;
    uint64_t address = array.bits[0];
    for (size_t axis = 0; axis < axes; ++axis) {
      const int64_t at = signExtend(machine.operand(step, unsigned(start + axis)).bits.front(), 32) +
                         (axis == 0   ? place[contiguous]
                          : axis == 1 ? place[1 - contiguous]
                                      : int64_t(0));
      isInside &= at >= 0 && at < int64_t(array.bits[1 + axis]);
      address += uint64_t(at) * (axis == 0 ? 1 : array.bits[axes + axis]) * type.getElementBytes();
    }
    places.addresses.bits[i] = isInside ? address : 0;
    places.inside.bits[i] = isInside;
  }
  return places;
}

} // namespace tegula::interp
