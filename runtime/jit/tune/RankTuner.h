// Tuning by several ranks: one config everywhere, or an error on all ranks that says which is at fault.
#pragma once

#include "runtime/jit/tune/Agreement.h"
#include "runtime/jit/tune/Tuner.h"

namespace tegula::jit {

/// Returns whether PTX has accesses or fences of system scope: what only communication between devices, or
/// with the host, needs.
bool communicates(std::string_view ptx);

/// Tries the configs of `request` as `tune` does, together with the other ranks of `agreement`, and gives the
/// same trials on all of them. Where a rank leaves a config out, all do. A kernel that communicates is
/// measured on all ranks at a time, each equally often, and the slowest rank's time counts; the configs of
/// any other are divided over the ranks. Errors: those of `tune`, on the rank that has them, and on the
/// others InvalidArgument with its number and text; InvalidArgument where the ranks have different configs;
/// those of `agreement`.
runtime::Result<std::vector<Trial>> tuneByRanks(const TuneRequest &request, const Agreement &agreement);

} // namespace tegula::jit
