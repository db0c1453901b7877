// The compiler's result, which a device takes: PTX text and the manifest that says how to launch it.
#pragma once

#include "dialect/image/Result.h"
#include "dialect/image/TensorMap.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// PTX allows no larger block of parameters.
inline constexpr uint32_t maxParamBytes = 4352;

/// The way in which one parameter of the PTX entry is passed.
enum class ParamKind : uint8_t {
  Pointer, ///< 8 bytes, a global address
  Integer, ///< two's complement, `size` bytes (a bool is one byte, 0 or 1)
  Float,   ///< IEEE, `size` bytes (2 means half, 4 single, 8 double); see `type` for bf16
};

/// One parameter of the PTX entry that the source has, in the order of the PTX text.
struct KernelParam {
  std::string name; ///< the name in the kernel's source
  std::string type; ///< Triton's spelling: "*fp32", "i32", "u64", "bf16"
  ParamKind kind = ParamKind::Pointer;
  uint32_t size = 0;         ///< bytes
  uint32_t offset = 0;       ///< bytes from the start of the parameter block, naturally aligned
  uint32_t divisibility = 1; ///< the code relies on a multiple of this (of a pointer: in bytes)
  /// Code that knew a multiple of a power of two up to this, 2, 4 or 8, would be better; 1 where it would
  /// not.
  uint32_t finer = 1;
  bool operator==(const KernelParam &) const = default;
};

/// The way in which the launch fills a parameter that the source does not have.
enum class ImplicitKind : uint8_t {
  Programs, ///< a u32: the number of programs along an axis
  First,    ///< a u32: the number along x of the first program of the launch
  Map,      ///< a tensor map: `.param .align 64 .b8 name[128]`
};

/// A parameter of the PTX entry after those of the source. `runtime::Device::launch` fills it.
struct ImplicitArgument {
  ImplicitKind kind = ImplicitKind::Programs;
  uint32_t size = 0, alignment = 1; ///< bytes
  uint32_t offset = 0;              ///< bytes from the start of the parameter block
  uint8_t axis = 0;                 ///< of Programs: 0 for x, 1 for y, 2 for z
  TensorMap map = {};               ///< of a Map
  bool operator==(const ImplicitArgument &) const = default;
};

/// A loop that the blocks of a cluster share out, or could: ceil(size / step) iterations, none where `size`
/// is not above 0.
struct SplitLoop {
  LaunchNumber size;
  uint32_t step = 1;
  /// The most blocks that may share it; 1 in code that does not, but could be compiled to
  /// (`KernelSpec::splitK`).
  uint32_t blocks = 1;
  /// Programs see neither how many there are nor each other: a launch may be made in parts.
  bool isIndependent = false;
  bool operator==(const SplitLoop &) const = default;
};

/// A compiled kernel. `ptx` is the text that every device runs or assembles; where it comes from the compiler
/// its first lines say all the rest (KernelImageText.h).
struct KernelImage {
  std::string entry;  ///< name of the `.entry` in `ptx`
  std::string kernel; ///< name in the source, which PTX may not take; empty where there is no source
  std::string target; ///< the architecture compiled for, for example "sm_90a"
  std::string ptx;
  std::vector<KernelParam> params;
  uint32_t paramBytes = 0; ///< of the parameter block that a caller gives, without implicit arguments
  std::vector<ImplicitArgument> implicit;
  uint32_t numWarps = 4;    ///< a block has 32 * numWarps threads in x
  uint32_t sharedBytes = 0; ///< dynamic shared memory to request at launch
  /// The number of neighbouring programs along x that one block runs, each in a warp of its own (`numWarps`
  /// is then their number); `runtime::Device::launch` divides the grid.
  uint32_t programsPerBlock = 1;
  /// Above 0 the kernel is persistent: block b of B runs the programs b, b + B, b + 2B..., counted with x
  /// fastest. Any number of blocks along x does it; this many for each multiprocessor are resident at once,
  /// and `runtime::Device::launch` starts no more.
  uint32_t blocksPerMultiprocessor = 0;
  /// True if neighbouring blocks of a persistent kernel may be clusters of two, which load for each other.
  /// Where programs are an odd number, one block of a pair runs the other's again and stores nothing.
  bool hasPairs = false;
  /// True if the compiler has chosen the order in which programs follow each other: a block with the number
  /// of one program does the work of another.
  bool isOrdered = false;
  /// Above 1 each program is run by a cluster of so many blocks along x.
  uint32_t clusterBlocks = 1;
  std::optional<SplitLoop> splits; ///< nothing where it has no such loop
  std::string sourceFile;          ///< path given to the compiler, for messages
  /// The assembler's result for `ptx` and the target, where one was asked for; no part of the text.
  std::string machineCode;

  bool operator==(const KernelImage &) const = default;
};

/// The name of the kernel for messages: the source's.
const std::string &nameOf(const KernelImage &image);

/// Places `param` after the others, at the next multiple of its size, and keeps it.
void addParam(KernelImage &image, KernelParam param);

/// The most programs that a persistent kernel counts: with as many blocks more, the number is still an i32.
inline constexpr uint64_t maxPersistentPrograms = uint64_t(1) << 30;

/// Adds the number of programs along `axis` as an implicit kernel argument after everything else.
void addImplicitPrograms(KernelImage &image, uint8_t axis);
void addImplicitFirst(KernelImage &image);
/// Adds a tensor map as an implicit kernel argument after everything else.
void addImplicitMap(KernelImage &image, TensorMap map);

/// Checks what of `map` no launch decides: that its parameters are what they must be, and the rules for
/// elements, boxes and swizzles. Errors: InvalidArgument.
runtime::Result<void> checkTensorMap(const KernelImage &image, const TensorMap &map);

/// Bytes of a scalar in memory by Triton's spelling: "i1", "fp16", "fp8e4nv"...
std::optional<uint32_t> scalarBytes(std::string_view type);

/// Returns what a device may refuse to a launch, so that it needs code without: "tensor maps", "clusters" or
/// "tensor maps and clusters"; empty where there is nothing.
std::string partsThatMayBeRefused(const KernelImage &image);

/// Returns the bytes of the parameter block that the entry itself takes: `paramBytes` and the implicit
/// arguments after them.
uint64_t entryParamBytes(const KernelImage &image);

} // namespace tegula
