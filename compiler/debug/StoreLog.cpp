#include "compiler/debug/StoreLog.h"

#include <algorithm>
#include <cstring>

namespace tegula::debug {

void StoreLog::add(LoggedStore store, uint64_t address, uint32_t bytes, const uint8_t *operands,
                   const ReadMemory &read) {
  const auto found =
      std::ranges::find_if(arrays, [&](const Array &one) { return one.indexOf(address).has_value(); });
  if (found == arrays.end())
    return;
  const uint32_t size = scalarKindBytes(found->type);
  const uint64_t first = *found->indexOf(address), last = (address + bytes - 1 - found->address) / size;
  store.array = uint16_t(found - arrays.begin());
  for (store.index = first; store.index <= last && store.index < found->elements(); ++store.index) {
    if (stores.size() == most) {
      isCut = true;
      return;
    }
    const uint64_t begin = found->elementAddress(store.index);
    const uint64_t from = std::max(begin, address), to = std::min(begin + size, address + bytes);
    LoggedStore one = store;
    // The part that stays is what it was; what a part is combined with says nothing of the element.
    if (to - from < size && one.kind == StoreKind::Store)
      (void)read(&one.bits, begin, size);
    else if (to - from < size)
      one.kind = StoreKind::Swap;
    std::memcpy(reinterpret_cast<uint8_t *>(&one.bits) + (from - begin), operands + (from - address),
                size_t(to - from));
    stores.push_back(one);
  }
}

} // namespace tegula::debug
