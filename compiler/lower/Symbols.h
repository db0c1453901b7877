// Names and address spaces that the lowered module and what reads it agree on.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tegula {

/// The kernel's shared memory in the `llvm` form: an external array of bytes in `SharedAddressSpace`, as
/// long as the kernel needs. Emit records the length in the manifest and declares the array without one,
/// which is how PTX spells shared memory whose size the launch gives.
inline constexpr char SharedMemoryName[] = "tegula_shared";

/// The functions that CUDA gives every module: formatted output, and the end of a kernel whose assertion
/// fails.
inline constexpr llvm::StringLiteral PrintFunction = "vprintf";
inline constexpr llvm::StringLiteral AssertFunction = "__assertfail";

/// The attribute of a parameter that says, as a dictionary, how the launch makes a tensor map for it.
/// Parameters are numbers of 32 bits in it, constants of 64.
inline constexpr llvm::StringLiteral MapAttrName = "tgpu.map";
/// Bytes of such a parameter.
inline constexpr unsigned MapBytes = 128, MapAlignment = 64;

/// Address spaces of NVPTX.
inline constexpr unsigned GlobalAddressSpace = 1;
inline constexpr unsigned SharedAddressSpace = 3;

} // namespace tegula
