// Long work of the library that Ctrl-C ends for the caller.
#pragma once

#include "runtime/python/native/Ref.h"

#include <functional>

namespace tegula::python {

/// Runs `work` without the GIL. On the main thread it runs on a thread of its own, so that signals are
/// handled meanwhile: false with KeyboardInterrupt (or another exception of a handler) set when one asks to
/// stop. Then `work` goes on unattended until the process ends: what it uses must be owned by the function
/// itself.
bool runInterruptibly(std::function<void()> work);

/// Lets signals end launches that run on the host: their handlers are called meanwhile on the main thread,
/// and where one raises the launch fails with that exception set. False with an exception set.
bool listenForSignals();

} // namespace tegula::python
