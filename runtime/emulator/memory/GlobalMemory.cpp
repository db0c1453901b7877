#include "runtime/emulator/memory/GlobalMemory.h"

#include <algorithm>
#include <cstdlib>

namespace tegula::runtime::ptx {

/// Unmapped bytes between allocations: an access that runs off an end lands in none.
static constexpr uint64_t guardBytes = 64 * 1024;

Allocation *GlobalMemory::allocate(uint64_t bytes, uint64_t align) {
  if (bytes > limit - inUse)
    return nullptr;
  auto made = std::make_unique<Allocation>();
  const uint64_t words = bytes / 64 + 1;
  made->data = {static_cast<uint8_t *>(std::calloc(bytes + 1, 1)), std::free};
  made->initialised = {static_cast<uint64_t *>(std::calloc(words, 8)), std::free};
  if (!made->data || !made->initialised)
    return nullptr;
  align = std::max<uint64_t>(align, 256);
  made->base = (next + align - 1) / align * align;
  made->size = bytes;
  next = made->base + bytes + guardBytes;
  inUse += bytes;
  return allocations.insert(after(made->base), std::move(made))->get();
}

GlobalMemory::Position GlobalMemory::after(uint64_t address) {
  return std::upper_bound(allocations.begin(), allocations.end(), address,
                          [](uint64_t wanted, const auto &one) { return wanted < one->base; });
}

bool GlobalMemory::adopt(uint64_t address, uint64_t bytes, bool isReadOnly) {
  if (address > UINT64_MAX - bytes || (address < sharedWindow + windowBytes && paramWindow < address + bytes))
    return false;
  const Position place = after(address);
  if (place != allocations.end() && (*place)->base - address < bytes)
    return false;
  if (place != allocations.begin()) {
    const Allocation &before = **std::prev(place);
    if (address - before.base < before.size)
      return false;
  }
  auto made = std::make_unique<Allocation>();
  made->base = address;
  made->size = bytes;
  made->adopted = true;
  made->readOnly = isReadOnly;
  made->data = {reinterpret_cast<uint8_t *>(address), [](void *) {}};
  allocations.insert(place, std::move(made));
  return true;
}

void GlobalMemory::release(uint64_t address) {
  std::erase_if(allocations, [&](const auto &one) { return one->adopted && one->base == address; });
}

Allocation *GlobalMemory::nearest(uint64_t address) {
  const Position behind = after(address);
  return behind == allocations.begin() ? nullptr : std::prev(behind)->get();
}

Allocation *GlobalMemory::find(uint64_t address) {
  Allocation *found = nearest(address);
  return found && (address - found->base < found->size || address == found->base) ? found : nullptr;
}

bool GlobalMemory::free(uint64_t address) {
  Allocation *found = nearest(address);
  if (!found || found->base != address || found->freed || found->adopted)
    return false;
  found->freed = true;
  found->data.reset();
  found->initialised.reset();
  inUse -= found->size;
  // Old tombstones go, so that a long run does not grow without end.
  static constexpr size_t maxTombstones = 4096;
  if (allocations.size() > 2 * maxTombstones &&
      size_t(std::count_if(allocations.begin(), allocations.end(),
                           [](const auto &one) { return one->freed; })) > maxTombstones)
    std::erase_if(allocations, [](const auto &one) { return one->freed; });
  return true;
}

void GlobalMemory::markRange(Allocation &allocation, uint64_t offset, uint64_t bytes) {
  if (!allocation.initialised)
    return;
  if (offset == 0 && bytes == allocation.size) {
    allocation.initialised.reset();
    return;
  }
  for (uint64_t at = offset; at < offset + bytes;) {
    const uint64_t run = std::min<uint64_t>(64 - at % 64, offset + bytes - at);
    const uint64_t mask = run == 64 ? ~uint64_t(0) : (uint64_t(1) << run) - 1;
    allocation.initialised.get()[at / 64] |= mask << (at % 64);
    at += run;
  }
}

GlobalMemory::Snapshot GlobalMemory::save() const {
  Snapshot snapshot;
  for (const auto &one : allocations) {
    if (one->freed || one->readOnly)
      continue;
    const uint64_t *bits = one->initialised.get();
    snapshot.copies.push_back({one.get(), {one->data.get(), one->data.get() + one->size}, {}});
    if (bits)
      snapshot.copies.back().initialised.assign(bits, bits + one->size / 64 + 1);
  }
  return snapshot;
}

void GlobalMemory::restore(const Snapshot &snapshot) {
  for (const Snapshot::Copy &copy : snapshot.copies) {
    std::copy(copy.bytes.begin(), copy.bytes.end(), copy.allocation->data.get());
    // A kernel only ever adds bits, so the array is still there where it was.
    std::copy(copy.initialised.begin(), copy.initialised.end(), copy.allocation->initialised.get());
  }
}

void GlobalMemory::copyInitialised(Allocation &to, uint64_t toOffset, const Allocation &from,
                                   uint64_t fromOffset, uint64_t bytes) {
  if (!from.initialised) {
    markRange(to, toOffset, bytes);
    return;
  }
  if (to.adopted)
    return;
  if (!to.initialised) {
    to.initialised = {static_cast<uint64_t *>(std::malloc((to.size / 64 + 1) * 8)), std::free};
    if (!to.initialised)
      return;
    std::fill_n(to.initialised.get(), to.size / 64 + 1, ~uint64_t(0));
  }
  for (uint64_t i = 0; i < bytes; ++i) {
    const uint64_t source = fromOffset + i, target = toOffset + i;
    const uint64_t bit = from.initialised.get()[source / 64] >> (source % 64) & 1;
    uint64_t &word = to.initialised.get()[target / 64];
    word = (word & ~(uint64_t(1) << (target % 64))) | bit << (target % 64);
  }
}

std::vector<const Allocation *> GlobalMemory::pads() const {
  std::vector<const Allocation *> found;
  for (const auto &one : allocations)
    if (one->isPad && !one->freed)
      found.push_back(one.get());
  return found;
}

} // namespace tegula::runtime::ptx
