#include "runtime/device/KernelImage.h"

#include <algorithm>
#include <utility>

namespace tegula {

static uint64_t alignUp(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

HiddenSpelling spellingOf(HiddenKind kind) {
  switch (kind) {
  case HiddenKind::Programs:
    return {"u32", "programs in x"};
  }
  return {};
}

const std::string &nameOf(const KernelImage &image) {
  return image.kernel.empty() ? image.entry : image.kernel;
}

void addParam(KernelImage &image, KernelParam param) {
  param.offset = uint32_t(alignUp(image.paramBytes, param.size));
  image.paramBytes = param.offset + param.size;
  image.params.push_back(std::move(param));
}

void addHidden(KernelImage &image, HiddenKind kind) {
  HiddenParam param{kind};
  switch (kind) {
  case HiddenKind::Programs:
    param.size = param.alignment = 4;
    break;
  }
  param.offset = uint32_t(alignUp(entryParamBytes(image), param.alignment));
  image.hidden.push_back(param);
}

uint64_t entryParamBytes(const KernelImage &image) {
  uint64_t bytes = image.paramBytes;
  for (const HiddenParam &param : image.hidden)
    bytes = std::max(bytes, uint64_t(param.offset) + param.size);
  return bytes;
}

} // namespace tegula
