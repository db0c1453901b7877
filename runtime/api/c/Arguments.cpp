#include "runtime/api/c/Arguments.h"

#include "runtime/host/Pack.h"

#include <fmt/format.h>

#include <cstddef>

namespace tegula::c {

using runtime::Error;
using runtime::ErrorKind;

static_assert(int(HostValue::None) == TEGULA_ARG_NONE && int(HostValue::UInt) == TEGULA_ARG_UINT &&
              int(HostValue::Float) == TEGULA_ARG_FLOAT && int(HostValue::Pointer) == TEGULA_ARG_POINTER &&
              int(HostValue::Default) == TEGULA_ARG_DEFAULT && int(HostValue::Tuple) == TEGULA_ARG_TUPLE);
static_assert(sizeof(HostValue) == sizeof(tegula_argument) &&
              offsetof(HostValue, kind) == offsetof(tegula_argument, kind) &&
              offsetof(HostValue, type) == offsetof(tegula_argument, type) &&
              offsetof(HostValue, bits) == offsetof(tegula_argument, of));
static_assert(int(ScalarKind::Int1) == TEGULA_I1 && int(ScalarKind::UInt8) == TEGULA_U8 &&
              int(ScalarKind::Float16) == TEGULA_FP16 && int(ScalarKind::Float64) == TEGULA_FP64 &&
              int(ScalarKind::Float8E5B16) == TEGULA_FP8E5B16);

runtime::Result<std::span<const HostValue>> argumentsOf(const tegula_argument *arguments, size_t count) {
  if (count > runtime::maxArguments)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected at most {} arguments, found {}", runtime::maxArguments, count)};
  if (count && !arguments)
    return Error{ErrorKind::InvalidArgument, "expected `arguments`, found null"};
  for (size_t i = 0; i < count; ++i) {
    const tegula_argument &one = arguments[i];
    if (one.kind > TEGULA_ARG_TUPLE)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("argument {} is of no kind that there is, {}", i, one.kind)};
    if (one.type > TEGULA_FP8E5B16 && one.type != TEGULA_UNTYPED)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("argument {} is of no type that there is, {}", i, one.type)};
  }
  return std::span(reinterpret_cast<const HostValue *>(arguments), count);
}

} // namespace tegula::c
