// Memory of the nodes of one syntax tree: blocks that are freed together, so that neither the depth nor the
// size of a tree matters when it is destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tegula::ast {

class Arena {
public:
  /// A node of plain data, valid as long as the arena.
  template <typename T> T *make(T value) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(std::move(value));
  }

  /// A copy of `items`.
  template <typename T> std::span<const T> copy(const std::vector<T> &items) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty())
      return {};
    void *to = allocate(sizeof(T) * items.size(), alignof(T));
    std::memcpy(to, static_cast<const void *>(items.data()), sizeof(T) * items.size());
    return {static_cast<const T *>(to), items.size()};
  }

  std::string_view copy(std::string_view text) {
    if (text.empty())
      return {};
    char *to = static_cast<char *>(allocate(text.size(), 1));
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

private:
  static constexpr size_t blockBytes = 32 * 1024;

  void *allocate(size_t bytes, size_t alignment) {
    uintptr_t at = (next + alignment - 1) & ~uintptr_t(alignment - 1);
    if (at + bytes > limit) {
      // A large object gets a block of its own size.
      size_t size = bytes + alignment > blockBytes ? bytes + alignment : blockBytes;
      blocks.push_back(std::unique_ptr<std::byte[]>(new std::byte[size]));
      next = reinterpret_cast<uintptr_t>(blocks.back().get());
      limit = next + size;
      at = (next + alignment - 1) & ~uintptr_t(alignment - 1);
    }
    next = at + bytes;
    return reinterpret_cast<void *>(at);
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks;
  uintptr_t next = 0, limit = 0;
};

} // namespace tegula::ast
