// Finds which argument of the launch an address was computed from, and which element of it: for messages.
//
// Registers do not say where their values come from. The instructions do: from the address of the present one
// back through what computes 64-bit addresses, to the parameters that are loaded there. Only a fault pays for
// it.
#pragma once

#include <cstdint>
#include <string>

namespace tegula::runtime::ptx {

class Warp;

/// "0x200000000f0, `x_ptr[60]` of 60": the address, and as which element of an argument the warp's present
/// instruction came to it, where it comes from one. Of an access that is wrong behind its first byte,
/// `culprit` is the byte whose element is named.
std::string addressName(const Warp &warp, uint32_t lane, uint64_t address, uint64_t culprit);
inline std::string addressName(const Warp &warp, uint32_t lane, uint64_t address) {
  return addressName(warp, lane, address, address);
}

} // namespace tegula::runtime::ptx
