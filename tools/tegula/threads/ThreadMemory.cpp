#include "tools/tegula/threads/ThreadMemory.h"

#include "runtime/emulator/memory/GlobalMemory.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/threads/Registers.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tegula::cli {

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

debug::ReadMemory readerOf(const ThreadSession &session, ThreadSpace space) {
  if (space == ThreadSpace::Global)
    return session.memory();
  runtime::ptx::Block *block = session.block();
  runtime::ptx::Warp *warp = session.warp();
  if (space == ThreadSpace::Shared)
    return [block](void *to, uint64_t address, uint32_t bytes) {
      runtime::ptx::SharedMemory &shared = block->shared;
      if (address > shared.size() || bytes > shared.size() - address)
        return false;
      std::memcpy(to, shared.data() + address, bytes);
      return shared.isInitialised(address, bytes) && shared.isDefined(address, bytes);
    };
  return [warp, lane = session.lane()](void *to, uint64_t address, uint32_t bytes) {
    if (address > warp->localSize() || bytes > warp->localSize() - address)
      return false;
    std::memcpy(to, warp->local(lane, address), bytes);
    const uint8_t *defined = warp->localDefined(lane, address);
    return std::all_of(defined, defined + bytes, [](uint8_t one) { return one != 0; });
  };
}

/// The address that a number or a register is; nothing, with `error` set, for others.
static std::optional<uint64_t> addressOf(const ThreadSession &session, const std::string &text,
                                         std::string &error) {
  uint64_t address = 0;
  if (!llvm::StringRef(text).getAsInteger(0, address))
    return address;
  const auto found = registerNamed(*session.warp(), text, session.registerTypes());
  if (!found) {
    error = fmt::format("expected a number or a register as an address, found `{}`", text);
    return std::nullopt;
  }
  if (!(found->defined >> session.lane() & 1)) {
    error = fmt::format("`{}` is undefined in lane {}", found->name, session.lane());
    return std::nullopt;
  }
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

/// Says why there is no memory of `bytes` at an address; nothing where there is.
static std::optional<std::string> whyNone(const ThreadSession &session, ThreadSpace space, uint64_t address,
                                          uint64_t bytes) {
  if (space == ThreadSpace::Global) {
    const runtime::ptx::Allocation *found = session.context()->memory->find(address);
    if (found && !found->freed && found->contains(address, bytes))
      return std::nullopt;
    return fmt::format("no allocation holds the {} bytes at {:#x}", bytes, address);
  }
  const uint64_t size =
      space == ThreadSpace::Shared ? session.block()->shared.size() : session.warp()->localSize();
  if (address <= size && bytes <= size - address)
    return std::nullopt;
  return fmt::format("the {} bytes at {:#x} are outside of the {} bytes of {} memory", bytes, address, size,
                     space == ThreadSpace::Shared ? "the block's shared" : "the lane's local");
}

std::optional<std::string> memoryText(const ThreadSession &session, ThreadSpace space,
                                      const std::string &words, std::string &error) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(words).split(parts, ' ', -1, /*KeepEmpty=*/false);
  if (parts.empty() || parts.size() > 3) {
    error = "expected ADDRESS [COUNT [TYPE]], such as `0x80 8 fp32`";
    return std::nullopt;
  }
  const std::optional<uint64_t> given = addressOf(session, parts[0].str(), error);
  if (!given)
    return std::nullopt;
  const uint64_t address = inWindow(space, *given);
  const runtime::Result<uint32_t> count =
      parts.size() > 1 ? parseCount(parts[1].str(), "a number of elements") : runtime::Result<uint32_t>(8u);
  if (!count || *count > maxElements) {
    error = count ? fmt::format("expected at most {} elements, found {}", maxElements, *count)
                  : count.error().text;
    return std::nullopt;
  }
  const auto type = parts.size() > 2 ? parseScalarKind(parts[2].str()) : std::optional(ScalarKind::Int32);
  if (!type) {
    error = fmt::format("expected a type as {}, found `{}`", knownScalarKinds(), parts[2].str());
    return std::nullopt;
  }
  if (std::optional<std::string> why =
          whyNone(session, space, address, uint64_t(*count) * scalarKindBytes(*type))) {
    error = std::move(*why);
    return std::nullopt;
  }
  const debug::ReadMemory read = readerOf(session, space);
  constexpr uint32_t inRow = 8;
  std::string text;
  debug::Array array{"", address, *type, {*count}};
  for (uint32_t i = 0; i < *count; ++i) {
    if (i % inRow == 0)
      text += fmt::format("{}{:#x}:", i ? "\n" : "", array.elementAddress(i));
    text += " " + debug::text(debug::readElement(read, array, i));
  }
  return text + "\n";
}

} // namespace tegula::cli
