#include "runtime/host/LaunchNumbers.h"

#include <cstring>

namespace tegula::runtime {

WideNumber valueOf(const KernelParam &param, std::span<const std::byte> block) {
  uint64_t bits = 0;
  std::memcpy(&bits, block.data() + param.offset, param.size);
  const unsigned unused = 64 - 8 * param.size;
  const bool isSigned = param.type.starts_with('i') && param.type != "i1";
  return isSigned ? WideNumber(int64_t(bits << unused) >> unused) : WideNumber(bits);
}

WideNumber valueOf(const LaunchNumber &number, const KernelImage &image, std::span<const std::byte> block) {
  return number.param ? number.factor * valueOf(image.params[*number.param], block)
                      : WideNumber(number.factor);
}

} // namespace tegula::runtime
