#include "runtime/jit/Variant.h"

#include <algorithm>
#include <bit>

namespace tegula::jit {

VariantTable::~VariantTable() {
  for (std::atomic<Variant *> &bucket : buckets)
    for (Variant *variant = bucket.load(); variant;)
      delete std::exchange(variant, variant->next);
}

size_t VariantTable::bucketOf(const VariantKey &key) {
  uint64_t state = 0x9e3779b97f4a7c15ull;
  for (uint64_t word : key.used())
    state = std::rotl((state ^ word) * 0xff51afd7ed558ccdull, 29);
  return state % bucketCount;
}

const Variant *VariantTable::find(const VariantKey &key) const {
  // A variant is complete before it is in a chain, and never changes its place there.
  for (const Variant *variant = buckets[bucketOf(key)].load(std::memory_order_acquire); variant;
       variant = variant->next)
    if (std::ranges::equal(variant->key, key.used()))
      return variant;
  return nullptr;
}

const Variant *VariantTable::add(const VariantKey &key, std::unique_ptr<Variant> variant) {
  std::lock_guard lock(mutex);
  if (const Variant *made = find(key))
    return made;
  std::atomic<Variant *> &bucket = buckets[bucketOf(key)];
  variant->key.assign(key.used().begin(), key.used().end());
  variant->next = bucket.load(std::memory_order_relaxed);
  bucket.store(variant.get(), std::memory_order_release);
  return variant.release();
}

} // namespace tegula::jit
