#include "runtime/jit/tune/Agreement.h"

#include <fmt/format.h>

#include <mutex>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static std::mutex mutex;
static std::shared_ptr<const Agreement> current;

void setAgreement(std::shared_ptr<const Agreement> agreement) {
  std::lock_guard lock(mutex);
  current = std::move(agreement);
}

std::shared_ptr<const Agreement> currentAgreement() {
  std::lock_guard lock(mutex);
  return current;
}

static constexpr size_t lengthBytes = 8;

std::string pack(const std::vector<std::string> &parts) {
  std::string packed;
  for (const std::string &part : parts) {
    for (size_t byte = 0; byte < lengthBytes; ++byte)
      packed += char(uint64_t(part.size()) >> (8 * byte));
    packed += part;
  }
  return packed;
}

Result<std::vector<std::string>> unpack(std::string_view packed) {
  std::vector<std::string> parts;
  const size_t all = packed.size();
  while (packed.size() >= lengthBytes) {
    uint64_t length = 0;
    for (size_t byte = lengthBytes; byte-- > 0;)
      length = length << 8 | uint8_t(packed[byte]);
    packed.remove_prefix(lengthBytes);
    if (length > packed.size())
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("an offer of {} bytes ends behind the {} bytes of the answer", length, all)};
    parts.emplace_back(packed.substr(0, length));
    packed.remove_prefix(length);
  }
  if (!packed.empty())
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("the answer of {} bytes has {} behind its last offer", all, packed.size())};
  return parts;
}

} // namespace tegula::jit
