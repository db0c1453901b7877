// A debugger as the emulator sees it, told of each instruction and of each write. Launches without one pay a
// check a turn, and one for each lane that writes.
#pragma once

#include <cstdint>
#include <span>

namespace tegula::runtime::ptx {

class BlockState;
class Warp;
struct LaunchContext;
struct Write;

/// Called on the thread that launches, which it may hold up as long as it likes: warps, blocks and memory
/// stay as they are. It must not call the device, and changes nothing: the schedule is the same as without
/// it.
class Observer {
public:
  virtual ~Observer() = default;

  /// A run of a launch begins; each schedule is a run. False gives it up.
  virtual bool launchBegins(LaunchContext &launch) = 0;
  /// A block begins. Its warps lie where they are until it ends.
  virtual void blockBegins(BlockState &block, std::span<Warp> warps) = 0;
  /// The warp executes its next instruction after this. False gives the launch up.
  virtual bool before(Warp &warp) = 0;
  /// A lane writes after this, unless that is a fault.
  virtual void writes(const Write &) {}
  /// A block has ended.
  virtual void blockEnds(BlockState &block) = 0;
  /// The launch has a fault. Blocks that have not ended are as they were then.
  virtual void faulted(LaunchContext &launch) = 0;
};

} // namespace tegula::runtime::ptx
