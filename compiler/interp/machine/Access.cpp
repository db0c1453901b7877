#include "compiler/interp/machine/Access.h"

#include "compiler/interp/machine/ArgumentNames.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace tegula::interp {

FailureOr<Place> locate(Machine &machine, const Step &step, const Tensor &pointer, size_t index,
                        Element element, const char *verb) {
  const auto refuse = [&](std::string why) {
    return machine.fail(step, std::move(why), pointer.type, index);
  };
  if (pointer.isUndefined(index))
    return refuse(llvm::formatv("the address of a {0} is undefined{1}", verb, undefinedHint));
  const uint64_t address = pointer.bits[index];
  const unsigned bytes = element.bytes();
  Allocation *found = machine.memory.find(address, bytes);
  if (!found)
    return refuse(llvm::formatv("{0} of {1} bytes at {2}: {3}", verb, bytes,
                                addressName(machine, step, address), machine.memory.explain(address, bytes)));
  const std::string_view access = verb;
  if (found->isReadOnly && access != "load" && access != "copy")
    return refuse(llvm::formatv("{0} of {1} bytes at {2}: the host's memory is read-only there", verb, bytes,
                                addressName(machine, step, address)));
  if (address % bytes != 0)
    return refuse(llvm::formatv("misaligned {0} of {1} bytes at {2}", verb, bytes,
                                addressName(machine, step, address)));
  return Place(*found, address);
}

FailureOr<bool> isActive(Machine &machine, const Step &step, const Tensor *mask, size_t index) {
  if (!mask)
    return true;
  if (failed(machine.checkDefined(step, *mask, "the mask", index)))
    return failure();
  return mask->bits[index] != 0;
}

uint64_t readElement(Place place, Element element, bool &defined) {
  uint64_t bits = 0;
  std::memcpy(&bits, place.data, element.bytes());
  defined = !place.defined ||
            std::all_of(place.defined, place.defined + element.bytes(), [](uint8_t is) { return is != 0; });
  return bits & element.mask();
}

void writeElement(Machine &machine, Place place, Element element, uint64_t bits, bool defined) {
  bool wasDefined = false;
  (void)readElement(place, element, wasDefined);
  machine.changes += wasDefined != defined || std::memcmp(place.data, &bits, element.bytes()) != 0;
  std::memcpy(place.data, &bits, element.bytes());
  if (place.defined)
    std::memset(place.defined, defined, element.bytes());
  if (machine.options.observer)
    machine.options.observer->wrote(place.data, element.bytes());
}

LogicalResult checkWritten(Machine &machine, const Step &step, const Tensor &value, size_t index) {
  if (!machine.options.checkUndefinedStores)
    return success();
  return machine.checkDefined(step, value, "the value stored", index);
}

LogicalResult readActive(Machine &machine, const Step &step, const Tensor &pointer, const Tensor *mask,
                         const Tensor *other, const char *verb) {
  Tensor result(step.op->getResult(0).getType());
  const Element element(result.type);
  for (size_t i = 0; i < result.size(); ++i) {
    const FailureOr<bool> active = isActive(machine, step, mask, i);
    if (failed(active))
      return failure();
    if (!*active && other) {
      result.setElement(i, *other, i);
      continue;
    }
    bool defined = false;
    if (*active) {
      const FailureOr<Place> place = locate(machine, step, pointer, i, element, verb);
      if (failed(place))
        return failure();
      result.bits[i] = readElement(*place, element, defined);
    }
    if (!defined)
      result.setUndefined(i);
  }
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult writeActive(Machine &machine, const Step &step, const Tensor &pointer, const Tensor &value,
                          const Tensor *mask, const char *verb) {
  const Element element(value.type);
  for (size_t i = 0; i < value.size(); ++i) {
    const FailureOr<bool> active = isActive(machine, step, mask, i);
    if (failed(active))
      return failure();
    if (!*active)
      continue;
    const FailureOr<Place> place = locate(machine, step, pointer, i, element, verb);
    if (failed(place) || failed(checkWritten(machine, step, value, i)))
      return failure();
    writeElement(machine, *place, element, value.bits[i], !value.isUndefined(i));
  }
  return success();
}

} // namespace tegula::interp
