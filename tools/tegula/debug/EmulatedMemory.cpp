#include "tools/tegula/debug/EmulatedMemory.h"

#include <cstring>

namespace tegula::cli {

debug::ReadMemory globalReader(runtime::ptx::GlobalMemory *memory) {
  return [memory](void *to, uint64_t address, uint32_t bytes) {
    const runtime::ptx::Allocation *found = memory ? memory->find(address) : nullptr;
    if (!found || found->freed || !found->contains(address, bytes))
      return false;
    const uint64_t offset = address - found->base;
    std::memcpy(to, found->data.get() + offset, bytes);
    for (uint64_t i = 0; i < bytes; ++i)
      if (!found->isInitialised(offset + i, 1))
        return false;
    return true;
  };
}

debug::ReadMemory sharedReader(runtime::ptx::BlockState &block) {
  return [&block](void *to, uint64_t address, uint32_t bytes) {
    runtime::ptx::SharedMemory &shared = block.shared;
    if (address > shared.size() || bytes > shared.size() - address)
      return false;
    std::memcpy(to, shared.data() + address, bytes);
    return shared.isInitialised(address, bytes) && shared.isDefined(address, bytes);
  };
}

} // namespace tegula::cli
