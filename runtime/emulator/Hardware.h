// The numbers of the hardware that the emulator acts upon: those of compiler/target under its own names, and
// what only something that executes code has to know.
#pragma once

#include "compiler/target/Target.h"

#include <cstdint>
#include <string_view>

namespace tegula::runtime::ptx {

/// Lanes of a warp.
inline constexpr unsigned lanes = Target::warpSize;
/// Named barriers of a block: PTX gives them the numbers from 0 on.
inline constexpr uint32_t barriersPerBlock = Target::barriersPerBlock;
inline constexpr uint32_t maxThreadsPerBlock = Target::maxWarpsPerBlock * Target::warpSize;
/// Registers of 32 bits.
inline constexpr uint32_t registersPerMultiprocessor = Target::registersPerMultiprocessor;
/// Unit in which global memory is moved.
inline constexpr uint32_t sectorBytes = Target::sectorBytes;
/// Banks of shared memory and the width of each. A pass over all of them moves `lanes` words.
inline constexpr uint32_t sharedBanks = Target::sharedBanks, sharedBankBytes = Target::sharedBankBytes;
/// The most that one thread accesses with one instruction (`.v8.b32`, from sm_100 on).
inline constexpr uint32_t maxAccessBytes = 32;
/// Bytes of parameters that an entry may have.
inline constexpr uint32_t maxParamBytes = 32764;

/// The architecture of a name as `.target` has it, with or without the letter of its own features; that of
/// `DefaultTarget` where it is not known.
const Target &architectureOf(std::string_view name);

/// Multiprocessors of an H100 or H200, which the emulator stands in for.
inline constexpr uint32_t multiprocessorsOfH100 = 132;

} // namespace tegula::runtime::ptx
