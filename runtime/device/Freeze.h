// Says that the process is done preparing: from here on a launch must find its kernel loaded.
//
// A server that has warmed up freezes, so that no request waits for a compiler, for a tuner or for the driver
// that loads a module, and nothing that a captured CUDA graph refers to is unloaded. Who prepares kernels
// asks `isFrozen` before it does, and refuses.
#pragma once

#include "dialect/image/Result.h"

#include <string>
#include <string_view>

namespace tegula::runtime {

/// Returns true from `setFrozen(true)`, or from the beginning where TEGULA_FROZEN is set and not "0", until
/// `setFrozen(false)`.
bool isFrozen();
void setFrozen(bool frozen);

/// Allows what `isFrozen` refuses to this thread, as long as it lives: for who prepares kernels because the
/// program asked for that, and not because a launch needs one.
class Thaw {
public:
  Thaw();
  ~Thaw();
  Thaw(const Thaw &) = delete;
};

/// The error of a launch of `kernel` that would have to do `what` ("compiled", "tuned", "loaded"), which
/// `specialisation` would be made for. `when` says why not: "after `freeze`".
Error notPrepared(std::string_view kernel, std::string_view what, const std::string &specialisation,
                  std::string_view when = "after `freeze`");

} // namespace tegula::runtime
