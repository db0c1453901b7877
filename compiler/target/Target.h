// Every fact about an architecture that the compiler or the runtime acts upon. No other file compares
// architecture numbers: a new question gets a new field here, so that a new architecture is one row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tegula {

/// A version of the PTX language.
struct PtxVersion {
  uint32_t major, minor;
  auto operator<=>(const PtxVersion &) const = default;
};

/// One architecture. Sizes of memory are bytes.
struct Target {
  /// "sm_90a": the name in `.target`, on command lines, and LLVM's name of the CPU.
  std::string_view name;
  /// The PTX version to emit: the lowest that has all we use, so that old drivers can assemble it.
  PtxVersion ptx;
  /// Major and minor compute capability as the driver reports them.
  uint32_t major, minor;

  // Facts that all architectures share.

  /// Threads of a warp.
  static constexpr uint32_t warpSize = 32;
  /// Warps of a block at most.
  static constexpr uint32_t maxWarpsPerBlock = 32;
  /// 32-bit registers of a multiprocessor, and of a thread at most.
  static constexpr uint32_t registersPerMultiprocessor = 65536;
  static constexpr uint32_t maxRegistersPerThread = 255;
  /// Registers are given to a warp in multiples of this.
  static constexpr uint32_t registerUnit = 256;
  /// Parts of a multiprocessor: each runs a share of its warps with that share of its registers.
  static constexpr uint32_t partsPerMultiprocessor = 4;
  /// The most that one thread accesses with one instruction. 32 would need PTX 8.8 and drivers that
  /// read it, on sm_100 and later.
  static constexpr uint32_t maxVectorBytes = 16;
  /// The unit in which memory is read: a request costs one for each sector that it touches.
  static constexpr uint32_t sectorBytes = 32;
  /// Banks of shared memory and the width of each.
  static constexpr uint32_t sharedBanks = 32, sharedBankBytes = 4;
  /// Named barriers of a block (`bar.sync`).
  static constexpr uint32_t barriersPerBlock = 16;

  /// True where code runs on exactly this compute capability (the `a` targets); else on later ones too.
  constexpr bool exact() const { return name.ends_with('a'); }

  // Sizes.

  /// Warps that a multiprocessor holds at once.
  uint32_t maxWarpsPerMultiprocessor;
  /// Blocks that a multiprocessor holds at once.
  uint32_t maxBlocksPerMultiprocessor;
  /// Shared memory of a multiprocessor, and of a block after opting in.
  uint32_t sharedPerMultiprocessor;
  uint32_t maxSharedPerBlock;
  /// Shared memory is given to a block in multiples of this.
  uint32_t sharedUnit = 128;

  /// Clusters of blocks.
  bool clusters = false;
  /// `griddepcontrol`: a launch may begin before the one that it depends on has ended.
  bool gridDependency = false;

  /// Shared memory that the system keeps of each block.
  constexpr uint32_t reservedSharedPerBlock() const { return sharedPerMultiprocessor - maxSharedPerBlock; }

  /// Shared memory that every block may use while as many of them fit on a multiprocessor as without.
  constexpr uint32_t sharedAtFullOccupancy() const {
    return sharedPerMultiprocessor / maxBlocksPerMultiprocessor - reservedSharedPerBlock();
  }

  // Memory.

  /// `stmatrix`; every target has `ldmatrix`.
  bool storeMatrix = false;

  /// `red.add` of several floats side by side in global memory, of 16 bytes at most.
  bool vectorReductions = false;

  /// `mma.sync` on bf16, tf32 and f64, with a K of 16 on f16 and with 16 rows on integers. Without it there
  /// are `m16n8k8` on f16 and `m8n8k16` on integers of 8 bits.
  bool wideMatrices = true;

  /// `wgmma`: four warps multiply matrices that lie in shared memory.
  bool warpgroupMma = false;

  /// `cp.async` and `mbarrier`: threads copy from global to shared memory past their registers. Without it
  /// loads that run ahead wait in registers.
  bool asyncCopies = true;

  /// `cp.async.bulk.tensor` (TMA): a unit of its own copies boxes of arrays that a launch describes.
  bool tmaCopies = false;

  // Arithmetic that PTX has as one instruction; where it has not, the lowering goes through f32.

  /// `cvt` to bf16 from f32, and `fma`, `min` and `max` on it. (LLVM knows by itself where to do without, but
  /// for rounding towards zero.)
  bool bf16Conversions = true;
  /// `add`, `sub`, `mul` on bf16, and `cvt` to it from integers.
  bool bf16Arithmetic = true;
  /// `cvt` between two floats of 8 bits and two of 16 or 32.
  bool fp8Conversions = true;
  /// `mma.sync` on floats of 8 bits.
  bool fp8Products = true;
  /// The units of these are those of f16, and operands are widened first. PTX has the products all the same:
  /// the assembler widens by itself, begins at zero and adds up with instructions of threads.
  bool fp8ProductsWiden = false;

  // Combining over the lanes of a warp with one instruction.

  /// `redux.sync` on 32-bit integers.
  bool integerRedux = true;
  /// `redux.sync.min` and `.max` on f32.
  bool floatRedux = false;
};

/// All targets, the oldest first.
std::span<const Target> allTargets();

/// The target of this name, or null.
const Target *lookupTarget(std::string_view name);

/// The oldest target that has `feature`: for "expected a target of sm_89 or later".
const Target &oldestTargetWith(bool Target::*feature);

/// The target whose name is most like `name`, for "did you mean": null when none is near.
const Target *nearestTarget(std::string_view name);

/// Returns true if a device of this compute capability runs code for `target`.
bool runsOn(const Target &target, uint32_t major, uint32_t minor);

/// The best target whose code a device of this compute capability runs; null for devices older than
/// all targets.
const Target *targetOfDevice(uint32_t major, uint32_t minor);

} // namespace tegula
