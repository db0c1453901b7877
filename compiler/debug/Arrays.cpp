#include "compiler/debug/Arrays.h"

#include "compiler/spec/SmallFloat.h"
#include "dialect/Counted.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tegula::debug {

uint64_t Array::elements() const {
  uint64_t product = 1;
  for (int64_t side : shape)
    product *= uint64_t(side);
  return product;
}

std::optional<uint64_t> Array::indexOf(uint64_t at) const {
  if (at < address || at - address >= elements() * scalarKindBytes(type))
    return std::nullopt;
  return (at - address) / scalarKindBytes(type);
}

std::string Array::elementName(uint64_t index) const {
  std::string inner;
  uint64_t stride = elements();
  for (int64_t side : shape) {
    stride /= uint64_t(side);
    inner += (inner.empty() ? "" : ", ") + std::to_string(index / stride % uint64_t(side));
  }
  return name + "[" + inner + "]";
}

std::string addressText(llvm::ArrayRef<Array> arrays, uint64_t address) {
  auto distance = [address](const Array &array) {
    const uint64_t end = array.elementAddress(array.elements());
    return address < array.address ? array.address - address : address < end ? 0 : address - end + 1;
  };
  const auto *nearest = std::min_element(arrays.begin(), arrays.end(), [&](const Array &a, const Array &b) {
    return distance(a) < distance(b);
  });
  if (nearest == arrays.end())
    return "0x" + llvm::utohexstr(address, /*LowerCase=*/true);
  const auto bytes = int64_t(scalarKindBytes(nearest->type)), offset = int64_t(address - nearest->address);
  if (const std::optional<uint64_t> index = nearest->indexOf(address))
    return nearest->elementName(*index) + (offset % bytes ? " + " + counted(offset % bytes, "byte") : "");
  // As faults name such an address.
  return nearest->name + "[" + std::to_string((offset - (offset < 0 ? bytes - 1 : 0)) / bytes) + "] of " +
         std::to_string(nearest->elements());
}

Number numberOf(ScalarKind type, uint64_t bits) {
  const unsigned width = scalarKindBytes(type) * 8;
  Number number;
  number.isFloat = isFloatKind(type);
  if (type == ScalarKind::Float32) {
    number.real = double(std::bit_cast<float>(uint32_t(bits)));
  } else if (type == ScalarKind::Float64) {
    number.real = std::bit_cast<double>(bits);
  } else if (number.isFloat) {
    number.real = smallFloat(type).valueOf(uint16_t(bits));
  } else {
    const bool isSigned = type >= ScalarKind::Int8 && type <= ScalarKind::Int64;
    number.whole = isSigned && width < 64 ? int64_t(bits << (64 - width)) >> (64 - width) : int64_t(bits);
    number.real = type == ScalarKind::UInt64 ? double(bits) : double(number.whole);
  }
  return number;
}

Number readElement(const ReadMemory &read, const Array &array, uint64_t index) {
  const uint64_t address = array.elementAddress(index);
  const uint32_t bytes = scalarKindBytes(array.type);
  uint64_t bits = 0;
  if (!read(&bits, address, bytes)) {
    Number number;
    number.isFloat = isFloatKind(array.type);
    number.isUndefined = true;
    return number;
  }
  return numberOf(array.type, bits);
}

std::string text(const Number &number) {
  if (number.isUndefined)
    return "undefined";
  if (!number.isFloat)
    return std::to_string(number.whole);
  if (std::isnan(number.real))
    return "nan";
  if (std::isinf(number.real))
    return number.real < 0 ? "-inf" : "inf";
  std::string out;
  llvm::raw_string_ostream(out) << llvm::format("%.7g", number.real);
  return out;
}

Number Expected::at(uint64_t index) const {
  uint64_t bits = 0;
  const uint32_t bytes = scalarKindBytes(type);
  std::memcpy(&bits, data.data() + index * bytes, bytes);
  return numberOf(type, bits);
}

std::string text(const Tolerance &tolerance) {
  std::string out;
  llvm::raw_string_ostream(out) << llvm::format("atol=%.3g, rtol=%.3g", tolerance.absolute,
                                                tolerance.relative);
  return out;
}

double distance(const Number &wanted, const Number &found) {
  if (found.isUndefined || std::isnan(wanted.real) != std::isnan(found.real))
    return HUGE_VAL;
  if (std::isnan(wanted.real) || wanted.real == found.real)
    return 0;
  return std::fabs(found.real - wanted.real);
}

bool Tolerance::matches(const Number &wanted, const Number &found) const {
  if (found.isUndefined)
    return false;
  if (!wanted.isFloat && isExact())
    return wanted.whole == found.whole;
  if (std::isnan(wanted.real) || std::isnan(found.real))
    return std::isnan(wanted.real) && std::isnan(found.real);
  if (std::isinf(wanted.real) || std::isinf(found.real))
    return wanted.real == found.real;
  return std::fabs(found.real - wanted.real) <= absolute + relative * std::fabs(wanted.real);
}

} // namespace tegula::debug
