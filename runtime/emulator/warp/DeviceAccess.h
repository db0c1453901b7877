// Accesses of global memory on a fabric: whose it is, and what orders them with those of other devices.
// Where a launch runs on a device alone all of this says yes and does nothing.
#pragma once

#include "runtime/emulator/warp/FabricState.h"
#include "runtime/emulator/warp/Target.h"

#include <string>

namespace tegula::runtime::ptx {

/// "rank 1's pad, word 6", or the byte of another array that devices share.
std::string placeOnFabric(const Allocation &allocation, uint64_t address);
/// "k.py:3 (PTX line 7)" in whichever launch the access was made.
std::string lineOf(const FabricState &fabric, const FabricAccess &access);

/// Checks that the lane's device has mapped the target's array. False after a fault.
bool isMapped(Warp &warp, uint32_t lane, const Target &target);
/// Returns true for memory of another device, which all of them share.
bool isOfOtherDevice(const Warp &warp, const Target &target);
/// Remembers a read of such memory that nothing has written: the fault, if no race explains it before the
/// launches have ended.
void noteUnwrittenOnFabric(Warp &warp, uint32_t lane, const std::string &text);
/// Checks an access of global memory against those of other devices: a read against writes, with `writes` a
/// write against both. False after a fault, which may be that of an earlier access.
bool beforeAccessOnFabric(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong,
                          bool writes);
/// Checks that `unit`, which a lane has told to read the target by a way of its own, sees what other devices
/// have written there and the lane comes after. False after a fault.
bool isPublishedOnFabric(Warp &warp, uint32_t lane, const Target &target, uint32_t count, const char *unit);
/// A strong read takes over what other devices have released at the target. May fault as above.
void waitOnFabric(Warp &warp, uint32_t lane, const Inst &inst, const Target &target);
/// A strong write hands on what the warp knows; with `changes` the value is another one than before.
void signalOnFabric(Warp &warp, uint32_t lane, const Inst &inst, const Target &target, bool changes);

/// Makes a race of what a host has written, at `address` in `allocation`, if it is the first one.
void noteRaceOfHost(FabricState &fabric, const FabricConflict &conflict, const Allocation &allocation);
/// The message of the race that was found.
std::string raceText(const FabricState &fabric);

} // namespace tegula::runtime::ptx
