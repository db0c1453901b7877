// NumPy's .npy files.
//
// Format: docs of numpy.lib.format, versions 1 to 3: a magic string, a version, the length of the
// header, a header that is the text of a Python dict, the elements.
#pragma once

#include "compiler/spec/KernelSpec.h"
#include "dialect/image/Result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// Elements in C order.
struct NpyArray {
  ScalarKind type = ScalarKind::Float32;
  std::vector<int64_t> shape;
  std::vector<std::byte> data;
};

/// Reads the bytes of a file. NumPy has no bfloat16: with `as`, elements that are unsigned or untyped
/// words of the same size are taken for that type. Errors: Io, without the path.
runtime::Result<NpyArray> parseNpy(std::string_view bytes, std::optional<ScalarKind> as);

/// The bytes of a file in version 1. bfloat16 is written as unsigned words. `data` holds the elements.
std::string formatNpy(ScalarKind type, const std::vector<int64_t> &shape, std::string_view data);

} // namespace tegula::cli
