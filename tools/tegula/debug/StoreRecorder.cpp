#include "tools/tegula/debug/StoreRecorder.h"

#include "runtime/emulator/warp/Write.h"
#include "tools/tegula/debug/EmulatedMemory.h"

namespace tegula::cli {

using debug::StoreKind;
using runtime::ptx::Write;
using runtime::ptx::WriteKind;

void StoreRecorder::prepare(std::vector<debug::Array> arrays, const LaunchedPrograms &launched) {
  log.arrays = std::move(arrays);
  log.knowsPrograms = !launched.isPersistent;
  programs = launched;
}

bool StoreRecorder::launchBegins(runtime::ptx::LaunchContext &launch) {
  ++runs;
  read = globalReader(launch.memory);
  return true;
}

static StoreKind kindOf(WriteKind kind) {
  switch (kind) {
  case WriteKind::Store:
    return StoreKind::Store;
  case WriteKind::Swap:
    return StoreKind::Swap;
  case WriteKind::Add:
    return StoreKind::Add;
  case WriteKind::And:
    return StoreKind::And;
  case WriteKind::Or:
    return StoreKind::Or;
  case WriteKind::Xor:
    return StoreKind::Xor;
  case WriteKind::Min:
    return StoreKind::Min;
  case WriteKind::Max:
    return StoreKind::Max;
  case WriteKind::UMin:
    return StoreKind::UMin;
  case WriteKind::UMax:
    return StoreKind::UMax;
  }
  return StoreKind::Store;
}

void StoreRecorder::writes(const Write &write) {
  if (runs != 1 || write.target.space != runtime::ptx::Space::Global)
    return;
  debug::LoggedStore store{.at = write.inst.line,
                           .thread = write.warp.index * runtime::ptx::lanes + write.lane,
                           .kind = kindOf(write.kind)};
  if (const auto program = numberOf(*write.warp.block, write.warp.index, programs))
    store.program =
        program->x + uint64_t(programs.grid.x) * (program->y + uint64_t(programs.grid.y) * program->z);
  log.add(store, write.target.allocation->base + write.target.offset, write.bytes, write.operands, read);
}

} // namespace tegula::cli
