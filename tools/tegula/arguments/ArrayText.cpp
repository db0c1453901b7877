#include "tools/tegula/arguments/ArrayText.h"

#include "runtime/host/ScalarBits.h"
#include "tools/tegula/arguments/Arguments.h"

#include <fmt/format.h>

namespace tegula::cli {


static std::string formatScalar(ScalarKind type, const std::byte *place) {
  const HostValue value = decodeScalar(type, place);
  switch (value.kind) {
  case HostValue::Bool:
    return value.bits ? "true" : "false";
  case HostValue::Float:
    // Narrow types have few digits of their own; more would be noise.
    if (type == ScalarKind::Float64)
      return fmt::format("{}", value.asDouble());
    if (type == ScalarKind::Float32)
      return fmt::format("{}", float(value.asDouble()));
    return fmt::format("{:.{}g}", value.asDouble(),
                       type == ScalarKind::Float16  ? 5
                       : scalarKindBytes(type) == 1 ? 3
                                                    : 4);
  case HostValue::Int:
    return fmt::format("{}", int64_t(value.bits));
  default:
    return fmt::format("{}", value.bits);
  }
}

namespace {
struct Printer {
  ScalarKind type;
  const std::vector<int64_t> &shape;
  std::span<const std::byte> data;
  size_t edge;
  std::string text;

  /// Prints the elements below `axis`, `count` of them from `first`. Recursion is as deep as the shape
  /// has sides, at most maxSides.
  void print(size_t axis, size_t first, size_t count) {
    if (axis == shape.size()) {
      text += formatScalar(type, data.data() + first * scalarKindBytes(type));
      return;
    }
    const size_t side = size_t(shape[axis]);
    const size_t step = side ? count / side : 0;
    text += '[';
    for (size_t i = 0; i < side; ++i) {
      if (i)
        text += ", ";
      if (side > 2 * edge + 1 && i == edge) {
        text += "..., ";
        i = side - edge;
      }
      print(axis + 1, first + i * step, step);
    }
    text += ']';
  }
};
} // namespace

std::string formatArray(ScalarKind type, const std::vector<int64_t> &shape, std::span<const std::byte> data,
                        size_t edge) {
  Printer printer{type, shape, data, edge, fmt::format("{}{} ", scalarKindName(type), formatShape(shape))};
  const uint64_t count = elementCount(shape);
  if (count == 0)
    return printer.text + "[]";
  printer.print(0, 0, count);
  return printer.text;
}

} // namespace tegula::cli
