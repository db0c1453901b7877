// Writes the header of a bundle that a program is linked with: a C function for each kernel.
#pragma once

#include "dialect/image/Result.h"

#include <string>
#include <string_view>

namespace tegula::cli {

/// Returns `text` as a name of C: "my-kernels" gives "my_kernels".
std::string cSymbol(std::string_view text);

/// The text of `file`.h for the bundle `bytes`, which is linked from `symbol` on: for each name of its
/// kernels
///
///     tegula_error *add_kernel(void *stream, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
///                              const void *x_ptr, const void *out_ptr, int32_t n);
///
/// which launches the most specific of its variants whose facts hold. Errors: InvalidArgument where variants
/// of one name differ in their parameters or compile-time values, or two names are one in C.
runtime::Result<std::string> cHeader(const std::string &file, const std::string &symbol,
                                     std::string_view bytes);

} // namespace tegula::cli
