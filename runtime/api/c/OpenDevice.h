// Opens the device behind a handle: with the interpreter in libtegula, without it in libtegula-runtime.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/api/c/RuntimeHandles.h"

#include <string>

namespace tegula::c {

/// The device of this kind, as `tegula_device_open` says. Errors: InvalidArgument, and the device's.
runtime::Result<tegula_device> openDevice(const std::string &kind);

} // namespace tegula::c
