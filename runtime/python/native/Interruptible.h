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

/// wait_for_abandoned(): waits for all such work; called when the interpreter ends.
PyObject *waitForAbandoned(PyObject *module, PyObject *);

/// set_main_thread(identifier): the thread that handles signals. After a fork it is said again, and what was
/// left alone before is forgotten.
PyObject *setMainThread(PyObject *module, PyObject *identifier);

} // namespace tegula::python
