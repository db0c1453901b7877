#include "compiler/interp/machine/Access.h"

#include "compiler/interp/machine/ArgumentNames.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace tegula::interp {

Place locate(Machine &machine, const Step &step, const Tensor &pointer, size_t index, Element element,
             const char *verb) {
  if (pointer.isUndefined(index)) {
    (void)machine.fail(step, llvm::formatv("the address of a {0} is undefined{1}", verb, undefinedHint),
                       pointer.type, index);
    return {};
  }
  const uint64_t address = pointer.bits[index];
  const unsigned bytes = element.bytes();
  Allocation *found = machine.memory.find(address, bytes);
  if (!found) {
    (void)machine.fail(step,
                       llvm::formatv("{0} of {1} bytes at {2}: {3}", verb, bytes,
                                     addressName(machine, step, address),
                                     machine.memory.explain(address, bytes)),
                       pointer.type, index);
    return {};
  }
  const std::string_view access = verb;
  if (found->isReadOnly && access != "load" && access != "copy") {
    (void)machine.fail(step,
                       llvm::formatv("{0} of {1} bytes at {2}: the host's memory is read-only there", verb,
                                     bytes, addressName(machine, step, address)),
                       pointer.type, index);
    return {};
  }
  if (address % bytes != 0) {
    (void)machine.fail(
        step,
        llvm::formatv("misaligned {0} of {1} bytes at {2}", verb, bytes, addressName(machine, step, address)),
        pointer.type, index);
    return {};
  }
  return Place(*found, address);
}

std::optional<bool> isActive(Machine &machine, const Step &step, const Tensor *mask, size_t index) {
  if (!mask)
    return true;
  if (!mask->isUndefined(index))
    return mask->bits[index] != 0;
  (void)machine.fail(step, std::string("the mask is undefined") + undefinedHint, mask->type, index);
  return std::nullopt;
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
  if (!machine.options.checkUndefinedStores || !value.isUndefined(index))
    return success();
  return machine.fail(step, std::string("the value stored is undefined") + undefinedHint, value.type, index);
}

LogicalResult readActive(Machine &machine, const Step &step, const Tensor &pointer, const Tensor *mask,
                         const Tensor *other, const char *verb) {
  Tensor result(step.op->getResult(0).getType());
  const Element element(result.type);
  for (size_t i = 0; i < result.size(); ++i) {
    const std::optional<bool> active = isActive(machine, step, mask, i);
    if (!active)
      return failure();
    bool defined = false;
    if (*active) {
      const Place place = locate(machine, step, pointer, i, element, verb);
      if (!place)
        return failure();
      result.bits[i] = readElement(place, element, defined);
    } else if (other) {
      result.bits[i] = other->bits[i];
      defined = !other->isUndefined(i);
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
    const std::optional<bool> active = isActive(machine, step, mask, i);
    if (!active)
      return failure();
    if (!*active)
      continue;
    const Place place = locate(machine, step, pointer, i, element, verb);
    if (!place || failed(checkWritten(machine, step, value, i)))
      return failure();
    writeElement(machine, place, element, value.bits[i], !value.isUndefined(i));
  }
  return success();
}

} // namespace tegula::interp
