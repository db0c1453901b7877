#include "runtime/emulator/ptx/Type.h"

#include <algorithm>
#include <iterator>

namespace tegula::runtime::ptx {

static_assert(std::size(typeFacts) == size_t(Type::S16x2) + 1 && nameOf(Type::S16x2) == "s16x2");

std::optional<Type> parseType(std::string_view name) {
  const TypeFacts *const first = std::begin(typeFacts) + 1; // behind `None`
  const TypeFacts *const found =
      std::find_if(first, std::end(typeFacts), [name](const TypeFacts &one) { return one.name == name; });
  return found == std::end(typeFacts) ? std::nullopt : std::optional(Type(found - typeFacts));
}

} // namespace tegula::runtime::ptx
