#include "runtime/emulator/ops/Printf.h"

#include "runtime/emulator/warp/Access.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tegula::runtime::ptx {

namespace {

constexpr size_t maxString = 4096;
constexpr int maxWidth = 512;

/// Parameter `number` of the call at `inst`, for `lane`.
uint64_t argument(Warp &warp, const Inst &inst, uint32_t lane, uint32_t number) {
  const Row *pool = &warp.function->pool[inst.pool];
  const uint32_t slot = pool[0] + number;
  uint64_t value = 0;
  std::memcpy(&value, warp.param(lane, pool[2 + 2 * slot]), std::min<size_t>(8, pool[3 + 2 * slot]));
  return value;
}

/// A string at a generic address, up to its zero; false after a fault.
bool readString(Warp &warp, uint32_t lane, uint64_t address, std::string &text) {
  for (text.clear(); text.size() < maxString; ++address) {
    Target target;
    if (!locate(warp, lane, Space::Generic, address, 1, AccessKind::Load, target))
      return false;
    if (*target.bytes == 0)
      break;
    text += char(*target.bytes);
  }
  return true;
}

/// One conversion of a format: "%-8.3lld".
struct Conversion {
  std::string flags;
  int width = -1, precision = -1;
  bool starWidth = false, starPrecision = false;
  unsigned bytes = 4; ///< of an integer argument
  char kind = 0;
};

int readNumber(const std::string &format, size_t &at) {
  int value = 0;
  for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at)
    value = std::min(value * 10 + (format[at] - '0'), maxWidth);
  return value;
}

/// Parses after the '%'; `kind` stays 0 when the conversion is not one we know.
Conversion parseConversion(const std::string &format, size_t &at) {
  Conversion out;
  for (; at < format.size() && std::strchr("-+ #0", format[at]); ++at)
    out.flags += format[at];
  if (at < format.size() && format[at] == '*') {
    out.starWidth = true;
    ++at;
  } else if (at < format.size() && format[at] >= '1' && format[at] <= '9') {
    out.width = readNumber(format, at);
  }
  if (at < format.size() && format[at] == '.') {
    ++at;
    if (at < format.size() && format[at] == '*') {
      out.starPrecision = true;
      ++at;
    } else {
      out.precision = readNumber(format, at);
    }
  }
  for (; at < format.size() && std::strchr("hljzt", format[at]); ++at)
    if (format[at] != 'h')
      out.bytes = 8;
  if (at < format.size() && std::strchr("diouxXcsfFeEgGaAp%", format[at]))
    out.kind = format[at++];
  return out;
}

/// Takes arguments from the packed buffer that the compiler fills: each aligned to its own size.
class Arguments {
public:
  Arguments(Warp &warp, uint32_t lane, uint64_t address)
      : warp(warp), lane(lane), next(address), start(address) {}
  bool take(unsigned bytes, uint64_t &value) {
    next = start + (next - start + bytes - 1) / bytes * bytes;
    Target target;
    if (!locate(warp, lane, Space::Generic, next, bytes, AccessKind::Load, target))
      return false;
    for (unsigned i = 0; target.shadow && i < bytes; ++i)
      if (!target.shadow[i] && warp.block->checksInitialised())
        return warp.refuse(lane, "an uninitialised value is printed");
    value = 0;
    std::memcpy(&value, target.bytes, bytes);
    next += bytes;
    return true;
  }

private:
  Warp &warp;
  uint32_t lane;
  uint64_t next, start;
};

template <typename Value> std::string printOne(const std::string &spec, const Value &value) {
  std::array<char, 2 * maxWidth + 512> buffer;
  const int length = std::snprintf(buffer.data(), buffer.size(), spec.c_str(), value);
  return std::string(buffer.data(), size_t(std::clamp(length, 0, int(buffer.size()) - 1)));
}

bool convertOne(Warp &warp, uint32_t lane, Conversion one, Arguments &arguments, std::string &out) {
  uint64_t value = 0;
  if (one.starWidth) {
    if (!arguments.take(4, value))
      return false;
    one.width = std::clamp(int(int32_t(value)), -maxWidth, maxWidth);
  }
  if (one.starPrecision) {
    if (!arguments.take(4, value))
      return false;
    one.precision = std::clamp(int(int32_t(value)), -1, maxWidth);
  }
  if (one.kind == 's' && one.precision < 0)
    one.precision = maxWidth;
  std::string spec = "%" + one.flags;
  if (one.width != -1)
    spec += std::to_string(one.width);
  if (one.precision >= 0)
    spec += "." + std::to_string(one.precision);
  const bool isFloating = std::strchr("fFeEgGaA", one.kind) != nullptr;
  const unsigned bytes = isFloating || one.kind == 's' || one.kind == 'p' ? 8 : one.bytes;
  if (!arguments.take(bytes, value))
    return false;
  if (isFloating) {
    out += printOne(spec + one.kind, asDouble(value));
  } else if (one.kind == 's') {
    std::string text;
    if (!readString(warp, lane, value, text))
      return false;
    out += printOne(spec + "s", text.c_str());
  } else if (one.kind == 'p') {
    out += printOne(spec + "p", reinterpret_cast<void *>(value));
  } else if (one.kind == 'c') {
    out += printOne(spec + "c", int(value));
  } else if (one.kind == 'd' || one.kind == 'i') {
    out += printOne(spec + "lld", static_cast<long long>(signExtend(value, bytes * 8)));
  } else {
    out += printOne(spec + "ll" + one.kind, static_cast<unsigned long long>(value));
  }
  return true;
}

bool formatLane(Warp &warp, uint32_t lane, const std::string &format, uint64_t argumentBuffer,
                std::string &out) {
  Arguments arguments(warp, lane, argumentBuffer);
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      out += format[at++];
      continue;
    }
    const size_t start = at++;
    const Conversion one = parseConversion(format, at);
    if (one.kind == '%')
      out += '%';
    else if (one.kind == 0)
      out += format.substr(start, at - start);
    else if (!convertOne(warp, lane, one, arguments, out))
      return false;
  }
  return true;
}

} // namespace

void printFormatted(Warp &warp, const Inst &inst) {
  std::string &printed = *warp.block->launch.printed;
  forLanes(warp.mask, [&](uint32_t lane) {
    std::string format, text;
    if (warp.faulted() || !readString(warp, lane, argument(warp, inst, lane, 0), format) ||
        !formatLane(warp, lane, format, argument(warp, inst, lane, 1), text))
      return;
    if (printed.size() + text.size() <= maxPrintedBytes)
      printed += text;
    const Row *pool = &warp.function->pool[inst.pool];
    if (pool[0] == 1 && pool[3] >= 4) {
      const int32_t length = int32_t(text.size());
      std::memcpy(warp.param(lane, pool[2]), &length, 4);
      std::memset(warp.paramDefined(lane, pool[2]), 1, pool[3]);
    }
  });
}

void failAssertion(Warp &warp, const Inst &inst) {
  const uint32_t lane = uint32_t(std::countr_zero(warp.mask));
  std::string message, file, name;
  if (!readString(warp, lane, argument(warp, inst, lane, 0), message) ||
      !readString(warp, lane, argument(warp, inst, lane, 1), file) ||
      !readString(warp, lane, argument(warp, inst, lane, 3), name))
    return;
  warp.fault(lane, "assertion failed: {} ({}:{}, in {})", message, file,
             uint32_t(argument(warp, inst, lane, 2)), name);
}

} // namespace tegula::runtime::ptx
