// Accesses of shared memory among the blocks of a cluster, with every check on the way.
#pragma once

#include "runtime/emulator/warp/Target.h"

#include <string>

namespace tegula::runtime::ptx {

/// Returns the rank of the block that `address` lies in, of the cluster of `block`.
uint64_t rankOf(const BlockState &block, uint64_t address);

/// Takes the rank out of an `address` in the own block's shared memory. False after a fault, where it lies in
/// another block and `access` ("a bulk copy of 64 bytes") does not reach there. Other addresses stay as they
/// are.
bool stayInBlock(Warp &warp, uint32_t lane, uint64_t &address, const std::string &access);

/// Resolves `address` in another block for `count` bytes and checks bounds and alignment. False after a
/// fault.
bool locateInOther(Warp &warp, uint32_t lane, uint64_t address, uint32_t count, AccessKind kind,
                   Target &target);
/// Checks a read of the target, or a write of `values`, in another block: no race, and what a block checks of
/// its own accesses. False after a fault.
bool beforeReadOfOther(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong);
bool beforeWriteOfOther(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong,
                        const uint8_t *values);

/// The counterparts of `isPublished` and `beforeFill` (`Access.h`), where `agent` is one of the other block.
bool isPublishedInOther(Warp &warp, uint32_t lane, const Target &target, uint32_t count, const char *unit,
                        const char *verb);
bool beforeFillOfOther(Warp &warp, uint32_t lane, const Target &target, uint32_t count, uint32_t agent);

/// Finds the block of the cluster with this rank, for an `access` ("a bulk copy") that reaches its memory.
/// Null after a fault, where it is not there.
BlockState *blockOfCluster(Warp &warp, uint32_t lane, uint64_t rank, const std::string &access);

/// The fault of an access that races with one across the cluster. Returns false.
bool faultInCluster(Warp &warp, uint32_t lane, const ClusterConflict &conflict, const BlockState &owner,
                    bool write);

} // namespace tegula::runtime::ptx
