#include "runtime/api/c/Arguments.h"

#include <fmt/format.h>

#include <new>

namespace tegula::c {

using jit::HostValue;
using runtime::Error;
using runtime::ErrorKind;

static_assert(int(HostValue::None) == TEGULA_ARG_NONE && int(HostValue::UInt) == TEGULA_ARG_UINT &&
              int(HostValue::Float) == TEGULA_ARG_FLOAT && int(HostValue::Pointer) == TEGULA_ARG_POINTER &&
              int(HostValue::Default) == TEGULA_ARG_DEFAULT);
static_assert(int(ScalarKind::Int1) == TEGULA_I1 && int(ScalarKind::UInt8) == TEGULA_U8 &&
              int(ScalarKind::Float16) == TEGULA_FP16 && int(ScalarKind::Float64) == TEGULA_FP64 &&
              int(ScalarKind::Float8E5M2) == TEGULA_FP8E5);
static_assert(std::is_trivially_destructible_v<HostValue>);

runtime::Result<void> ArgumentList::convert(const tegula_argument *arguments, size_t given) {
  if (given > jit::maxArguments)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected at most {} arguments, found {}", jit::maxArguments, given)};
  if (given && !arguments)
    return Error{ErrorKind::InvalidArgument, "expected `arguments`, found null"};
  auto *values = reinterpret_cast<HostValue *>(bytes);
  for (size_t i = 0; i < given; ++i) {
    const tegula_argument &one = arguments[i];
    if (one.kind > TEGULA_ARG_DEFAULT)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("argument {} is of no kind that there is, {}", i, one.kind)};
    if (one.type > TEGULA_FP8E5 && one.type != TEGULA_UNTYPED)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("argument {} is of no type that there is, {}", i, one.type)};
    auto *value = new (values + i) HostValue{HostValue::Kind(one.kind), std::nullopt, one.of.integer};
    if (one.type != TEGULA_UNTYPED)
      value->type = ScalarKind(one.type);
  }
  count = given;
  return {};
}

} // namespace tegula::c
