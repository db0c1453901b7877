// A kernel's manifest as the first lines of its PTX, so that the text alone says how to launch it:
//
//     // Tegula kernel 1
//     // kernel   softmax_kernel
//     // source   kernels/softmax.py
//     // entry    softmax_kernel
//     // target   sm_90a
//     // block    128 threads
//     // shared   0 bytes
//     // programs 4 in a block
//     // param    *fp32:16 x_ptr
//     // param    i32:1..8 n
//     // splits   n/64 by 8 independent
//     // implicit u32 programs in x
//     // implicit map x_ptr fp32 sizes=n,16 strides=1,2*n box=32,8 swizzle=128
//
// Of `n` nothing is known, and code that knew it to be a multiple of 2, 4 or 8 would be better. Parameters
// are in their order, those that the launch fills in after the source's, each at the next multiple of its
// size. A block takes `programs` neighbouring programs along x; the last may have fewer. Or, as `1 persistent
// blocks a multiprocessor`, block b of any number B along x takes programs b, b + B, b + 2B..., counted with
// x fastest, and their numbers along x, y and z are implicit kernel arguments. Or, as `1 in a cluster of 4`,
// so many blocks along x run each program together.
//
// The iterations of a loop, `n` by 64 rounded up, are shared out over the blocks of a cluster, of which a
// launch starts up to 8 along x for each program; without `by` they could be (`KernelSpec::splitK`). Such
// code takes one more parameter, `// implicit u32 first program`: the number along x of the first program
// that is launched. `independent` programs see neither how many there are nor what others do, so that a
// launch may be made in parts.
//
// A tensor map is 128 bytes at the next multiple of 64, made by cuTensorMapEncodeTiled of the element's type,
// the pointer, sizes, strides (the driver takes them in bytes, and not the innermost, which is 1) and box
// (elements that a copy moves), all innermost first; without interleaving, with steps of 1 inside the box,
// the swizzle of so many bytes, L2 promotion of 256 bytes, and zeros out of bounds.
#pragma once

#include "dialect/image/KernelImage.h"
#include "dialect/image/Result.h"

#include <string>

namespace tegula {

/// Returns how many implicit kernel arguments of `image` are numbers of programs: they come first, from x on.
uint8_t implicitPrograms(const KernelImage &image);

/// The lines for `image`, each ending in a newline. Assemblers take only ASCII, so other bytes, a backslash
/// and blanks at an end are written `\xNN`.
std::string launchText(const KernelImage &image);

/// The image whose text is `ptx`: the inverse of `launchText` followed by code. Errors: InvalidArgument,
/// naming the line that is missing or not understood.
runtime::Result<KernelImage> readKernelImage(std::string ptx);

/// Checks that the code of `image.ptx` agrees with the rest: one entry of the right name, its parameters in
/// order with the sizes that a launch assumes, and the block's size. Errors: InvalidArgument with what
/// differs.
runtime::Result<void> checkCode(const KernelImage &image);

} // namespace tegula
