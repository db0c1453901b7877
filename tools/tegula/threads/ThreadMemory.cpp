#include "tools/tegula/threads/ThreadMemory.h"

#include "compiler/debug/Expression.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/debug/EmulatedMemory.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/threads/Registers.h"
#include "tools/tegula/threads/ThreadScope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tegula::cli {

using runtime::Result;

/// Elements that one command shows at most.
static constexpr uint32_t maxElements = 4096;

std::optional<ThreadSpace> spaceNamed(std::string_view name) {
  for (auto [each, space] :
       {std::pair("global", ThreadSpace::Global), std::pair("shared", ThreadSpace::Shared),
        std::pair("local", ThreadSpace::Local)})
    if (name == each)
      return space;
  return std::nullopt;
}

/// Reads memory as the warp and the lane in focus see it. What is not written is undefined.
static debug::ReadMemory readerOf(const ThreadSession &session, ThreadSpace space) {
  if (space == ThreadSpace::Global)
    return session.memory();
  if (space == ThreadSpace::Shared)
    return sharedReader(*session.block());
  runtime::ptx::Warp *warp = session.warp();
  return [warp, lane = session.lane()](void *to, uint64_t address, uint32_t bytes) {
    if (address > warp->localSize() || bytes > warp->localSize() - address)
      return false;
    std::memcpy(to, warp->local(lane, address), bytes);
    const uint8_t *defined = warp->localDefined(lane, address);
    return std::all_of(defined, defined + bytes, [](uint8_t one) { return one != 0; });
  };
}

/// The address that a number or a register is. Errors: InvalidArgument for others.
static Result<uint64_t> addressOf(const ThreadSession &session, const std::string &text) {
  uint64_t address = 0;
  if (!llvm::StringRef(text).getAsInteger(0, address))
    return address;
  if (!session.warp())
    return usageError(fmt::format("expected a number as an address where no block runs, found `{}`", text));
  const auto found = registerNamed(*session.warp(), text, session.registerTypes());
  if (!found)
    return usageError(fmt::format("expected a number or a register as an address, found `{}`", text));
  if (!(found->defined >> session.lane() & 1))
    return usageError(fmt::format("`{}` is undefined in lane {}", found->name, session.lane()));
  return found->bits[session.lane()];
}

/// Generic addresses of shared and local memory lie in windows.
static uint64_t inWindow(ThreadSpace space, uint64_t address) {
  const uint64_t window = space == ThreadSpace::Shared  ? runtime::ptx::sharedWindow
                          : space == ThreadSpace::Local ? runtime::ptx::localWindow
                                                        : 0;
  return window && address >= window && address - window < runtime::ptx::windowBytes ? address - window
                                                                                     : address;
}

/// Requires memory of `bytes` at an address. Errors: InvalidArgument.
static Result<void> checkMemory(const ThreadSession &session, ThreadSpace space, uint64_t address,
                                uint64_t bytes) {
  if (space == ThreadSpace::Global) {
    const runtime::ptx::Allocation *found = session.context()->memory->find(address);
    if (found && !found->freed && found->contains(address, bytes))
      return {};
    return usageError(fmt::format("no allocation holds the {} bytes at {:#x}", bytes, address));
  }
  const uint64_t size =
      space == ThreadSpace::Shared ? session.context()->sharedBytes() : session.warp()->localSize();
  if (address <= size && bytes <= size - address)
    return {};
  return usageError(fmt::format("the {} bytes at {:#x} are outside of the {} bytes of {} memory", bytes,
                                address, size,
                                space == ThreadSpace::Shared ? "the block's shared" : "the lane's local"));
}

/// Elements of memory at an address, as an array without a name. Errors: InvalidArgument.
static Result<debug::Array> elementsAt(const ThreadSession &session, ThreadSpace space,
                                       const std::string &addressText, uint32_t count,
                                       const std::string &typeText) {
  const uint64_t given = TRY(addressOf(session, addressText));
  const auto type = typeText.empty() ? std::optional(ScalarKind::Int32) : parseScalarKind(typeText);
  if (!type)
    return usageError(fmt::format("expected a type as {}, found `{}`", knownScalarKinds(), typeText));
  const uint64_t address = inWindow(space, given);
  TRY(checkMemory(session, space, address, uint64_t(count) * scalarKindBytes(*type)));
  return debug::Array{"", address, *type, {count}};
}

Result<std::string> memoryText(const ThreadSession &session, ThreadSpace space, const std::string &words) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(words).split(parts, ' ', -1, /*KeepEmpty=*/false);
  if (parts.empty() || parts.size() > 3)
    return usageError("expected ADDRESS [COUNT [TYPE]], such as `0x80 8 fp32`");
  const uint32_t count = TRY(parseCount(parts.size() > 1 ? parts[1] : "8", "a number of elements"));
  if (count > maxElements)
    return usageError(fmt::format("expected at most {} elements, found {}", maxElements, count));
  const debug::Array array =
      TRY(elementsAt(session, space, parts[0].str(), count, parts.size() > 2 ? parts[2].str() : ""));
  const debug::ReadMemory read = readerOf(session, space);
  constexpr uint32_t inRow = 8;
  std::string text;
  for (uint32_t i = 0; i < count; ++i) {
    if (i % inRow == 0)
      text += fmt::format("{}{:#x}:", i ? "\n" : "", array.elementAddress(i));
    text += " " + debug::text(debug::readElement(read, array, i));
  }
  return text + "\n";
}

Result<ThreadWatch> watchNamed(const ThreadSession &session, const std::string &words) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(words).split(parts, ' ', -1, /*KeepEmpty=*/false);
  const std::optional<ThreadSpace> space = parts.empty() ? std::nullopt : spaceNamed(parts[0]);
  if (!space) {
    std::string wrong;
    const auto element = debug::elementNamed(withoutPercents(words), scopeOf(session), wrong);
    if (!element)
      return usageError(wrong);
    return ThreadWatch{.array = element->first,
                       .index = element->second,
                       .name = element->first.elementName(element->second)};
  }
  if (*space == ThreadSpace::Local || parts.size() < 2 || parts.size() > 3)
    return usageError(
        fmt::format("expected an element such as `out[3, 17]`, or `shared` or `global` with ADDRESS [TYPE], "
                    "found `{}`",
                    words));
  if (!session.context())
    return usageError(
        "all blocks have ended, and their memory with them: `back` and `reverse-continue` go back");
  const std::string type = parts.size() > 2 ? parts[2].str() : "";
  const debug::Array array = TRY(elementsAt(session, *space, parts[1].str(), 1, type));
  return ThreadWatch{
      .space = *space,
      .array = array,
      .name = fmt::format("{} {:#x} {}", parts[0].str(), array.address, scalarKindName(array.type))};
}

} // namespace tegula::cli
