// What the compiler hands to a device: PTX text and the manifest that says how to launch it.
//
// This header is the whole of the runtime that the compiler sees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tegula {

/// How one parameter of the PTX entry is passed.
enum class ParamKind : uint8_t {
  Pointer, ///< 8 bytes, a global address
  Integer, ///< two's complement, `size` bytes (a bool is one byte, 0 or 1)
  Float,   ///< IEEE, `size` bytes (2 means half, 4 single, 8 double); see `type` for bf16
};

/// One parameter of the PTX entry, in the order of the PTX text.
struct KernelParam {
  std::string name; ///< the name in the kernel's source
  std::string type; ///< Triton's spelling: "*fp32", "i32", "u64", "bf16"
  ParamKind kind = ParamKind::Pointer;
  uint32_t size = 0;   ///< bytes
  uint32_t offset = 0; ///< bytes from the start of the parameter block, naturally aligned
};

/// A compiled kernel. `ptx` is the text that every device runs or assembles.
struct KernelImage {
  std::string entry;  ///< name of the `.entry` in `ptx`
  std::string target; ///< the architecture compiled for, for example "sm_90a"
  std::string ptx;
  std::vector<KernelParam> params;
  uint32_t paramBytes = 0;  ///< size of the parameter block
  uint32_t numWarps = 4;    ///< a block has 32 * numWarps threads in x
  uint32_t sharedBytes = 0; ///< dynamic shared memory to request at launch
  /// How many neighbouring programs along x one block runs, each in a warp of its own (`numWarps` is then
  /// their number). Where it is above 1 the entry takes one more parameter behind `params`, a u32 at the next
  /// multiple of 4, with the number of programs along x; `runtime::Device::launch` adds it and divides the
  /// grid.
  uint32_t programsPerBlock = 1;
  std::string sourceFile; ///< path given to the compiler, for messages
};

} // namespace tegula
