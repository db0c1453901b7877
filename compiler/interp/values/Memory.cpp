#include "compiler/interp/values/Memory.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstring>

namespace tegula::interp {

static constexpr uint64_t alignment = 256;
/// Unused addresses between allocations, so that a program that runs a little past one is caught.
static constexpr uint64_t gap = 4096;
/// More than any machine has, and small enough that addresses never wrap.
static constexpr uint64_t largest = uint64_t(1) << 44;

Allocation *Memory::allocate(uint64_t bytes, std::string name) {
  if (bytes > largest || next > largest * 16)
    return nullptr;
  auto made = std::make_unique<Allocation>();
  // Both come as zeros; the system gives pages only where they are touched.
  made->data.reset(static_cast<uint8_t *>(std::calloc(bytes ? bytes : 1, 1)));
  made->defined.reset(static_cast<uint8_t *>(std::calloc(bytes ? bytes : 1, 1)));
  if (!made->data || !made->defined)
    return nullptr;
  made->base = next;
  made->size = bytes;
  made->name = std::move(name);
  next += (bytes + gap + alignment - 1) / alignment * alignment;
  // Only adopted memory may be after it.
  return allocations.insert(after(made->base), std::move(made))->get();
}

Memory::Position Memory::after(uint64_t address) const {
  return std::upper_bound(allocations.begin(), allocations.end(), address,
                          [](uint64_t a, const std::unique_ptr<Allocation> &b) { return a < b->base; });
}

Allocation *Memory::nearest(uint64_t address) const {
  const Position behind = after(address);
  return behind == allocations.begin() ? nullptr : std::prev(behind)->get();
}

bool Memory::free(uint64_t address) {
  Allocation *found = nearest(address);
  if (!found || found->base != address || found->freed || !found->data.get_deleter().owned)
    return false;
  found->freed = true;
  found->data.reset();
  found->defined.reset();
  return true;
}

bool Memory::adopt(uint64_t address, uint64_t bytes, bool isReadOnly) {
  if (bytes > largest || address > UINT64_MAX - bytes)
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
  made->data = {reinterpret_cast<uint8_t *>(address), FreeBytes{false}};
  made->isReadOnly = isReadOnly;
  allocations.insert(place, std::move(made));
  return true;
}

void Memory::release(uint64_t address) {
  last = nullptr;
  std::erase_if(allocations, [&](const std::unique_ptr<Allocation> &one) {
    return one->base == address && !one->data.get_deleter().owned;
  });
}

Allocation *Memory::find(uint64_t address, uint64_t bytes) {
  if (last && !last->freed && last->contains(address, bytes))
    return last;
  Allocation *found = nearest(address);
  if (!found || found->freed || !found->contains(address, bytes))
    return nullptr;
  return last = found;
}

bool Memory::write(uint64_t address, const void *from, uint64_t bytes) {
  Allocation *to = find(address, bytes);
  if (!to)
    return false;
  if (bytes) {
    std::memcpy(to->data.get() + (address - to->base), from, bytes);
    if (to->defined)
      std::memset(to->defined.get() + (address - to->base), 1, bytes);
  }
  return true;
}

bool Memory::read(void *to, uint64_t address, uint64_t bytes) {
  Allocation *from = find(address, bytes);
  if (!from)
    return false;
  if (bytes)
    std::memcpy(to, from->data.get() + (address - from->base), bytes);
  return true;
}

Memory::Snapshot Memory::save() const {
  Snapshot saved;
  for (const std::unique_ptr<Allocation> &one : allocations) {
    if (one->freed)
      continue;
    Saved &copy = saved.emplace_back();
    copy.base = one->base;
    copy.data.assign(one->data.get(), one->data.get() + one->size);
    if (one->defined)
      copy.defined.assign(one->defined.get(), one->defined.get() + one->size);
  }
  return saved;
}

void Memory::restore(const Snapshot &saved) {
  for (const Saved &copy : saved)
    if (Allocation *to = find(copy.base, copy.data.size()); to && !to->isReadOnly) {
      std::copy(copy.data.begin(), copy.data.end(), to->data.get());
      if (to->defined)
        std::copy(copy.defined.begin(), copy.defined.end(), to->defined.get());
    }
}

uint64_t Memory::bytes() const {
  uint64_t sum = 0;
  for (const std::unique_ptr<Allocation> &one : allocations)
    sum += one->freed ? 0 : one->size;
  return sum;
}

uint64_t Memory::addressOf(const uint8_t *data) const {
  for (const std::unique_ptr<Allocation> &one : allocations)
    if (!one->freed && data >= one->data.get() && data < one->data.get() + one->size)
      return one->base + uint64_t(data - one->data.get());
  return 0;
}

bool Memory::isUndefined(uint64_t address, uint64_t bytes) {
  const Allocation *found = find(address, bytes);
  if (!found || !found->defined)
    return !found;
  const uint8_t *first = found->defined.get() + (address - found->base);
  return std::any_of(first, first + bytes, [](uint8_t is) { return !is; });
}

std::string Memory::explain(uint64_t address, uint64_t bytes) const {
  if (address < 4096)
    return "a null address";
  const Allocation *near = nearest(address);
  if (!near)
    return "outside any array";
  std::string array =
      llvm::formatv("{0}the {1} bytes at {2:x}", near->name.empty() ? "" : "`" + near->name + "`, ",
                    near->size, near->base);
  uint64_t offset = address - near->base;
  if (near->freed && offset < std::max<uint64_t>(near->size, 1))
    return "in memory that was freed, of " + array;
  if (offset < near->size)
    return llvm::formatv("outside any array, {0} of its bytes are past the end of {1}",
                         offset + bytes - near->size, array);
  return llvm::formatv("outside any array, {0} bytes past the end of {1}", offset - near->size, array);
}

} // namespace tegula::interp
