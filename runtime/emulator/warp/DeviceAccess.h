// Accesses of global memory on a fabric: whose it is, and what orders them with those of other devices.
// Where a launch runs on a device alone all of this says yes and does nothing.
#pragma once

#include "runtime/emulator/memory/FabricOrder.h"
#include "runtime/emulator/warp/Target.h"

#include <string>

namespace tegula::runtime::ptx {

/// "rank 1's pad, word 6", or the byte of another array that devices share.
std::string placeOnFabric(const Allocation &allocation, uint64_t address);

/// Checks that the lane's device has mapped the target's array. False after a fault.
bool isMapped(Warp &warp, uint32_t lane, const Target &target);
/// Checks an access of global memory against those of other devices: a read against writes, with `writes` a
/// write against both. False after a fault.
bool beforeAccessOnFabric(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong,
                          bool writes);
/// A strong read takes over what other devices have released at the target.
void waitOnFabric(Warp &warp, uint32_t lane, const Inst &inst, const Target &target);
/// A strong write hands on what the warp knows; with `changes` the value is another one than before.
void signalOnFabric(Warp &warp, uint32_t lane, const Inst &inst, const Target &target, bool changes);

} // namespace tegula::runtime::ptx
