#include "runtime/jit/launch/Variant.h"

#include <algorithm>
#include <bit>

namespace tegula::jit {

void FinerFacts::add(size_t index, uint32_t divisor) {
  if (asked.size() < capacity)
    asked.emplace_back(uint16_t(index), uint8_t(std::countr_zero(divisor)));
}

uint64_t FinerFacts::shiftsOf(std::span<const HostValue> args) const {
  uint64_t shifts = 0;
  for (size_t i = 0; i < asked.size(); ++i) {
    const auto &[index, most] = asked[i];
    const unsigned zeros = index < args.size() ? unsigned(std::countr_zero(args[index].bits)) : 0;
    shifts |= uint64_t(std::min(zeros, unsigned(most))) << 2 * i;
  }
  return shifts;
}

VariantTable::~VariantTable() {
  for (std::atomic<Variant *> &bucket : buckets)
    for (Variant *variant = bucket.load(); variant;)
      delete std::exchange(variant, variant->next);
}

size_t VariantTable::bucketOf(const VariantKey &key) {
  constexpr uint64_t factor = 0xff51afd7ed558ccdull;
  // Two chains, as each waits for its own product.
  uint64_t even = 0x9e3779b97f4a7c15ull, odd = even;
  const std::span<const uint64_t> words = key.used();
  size_t i = 0;
  for (; i + 1 < words.size(); i += 2) {
    even = std::rotl((even ^ words[i]) * factor, 29);
    odd = std::rotl((odd ^ words[i + 1]) * factor, 29);
  }
  if (i < words.size())
    even = std::rotl((even ^ words[i]) * factor, 29);
  return ((even ^ std::rotl(odd, 17)) * factor >> 32) % bucketCount;
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
