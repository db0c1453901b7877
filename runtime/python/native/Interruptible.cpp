#include "runtime/python/native/Interruptible.h"

#include "runtime/python/native/Errors.h"
#include "runtime/python/native/Parts.h"

#include <pythread.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tegula::python {

/// Longest delay of a signal.
static constexpr std::chrono::milliseconds signalDelay{20};

namespace {
struct Job {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;

  /// Returns true if it was done within `delay`.
  bool wait(std::chrono::milliseconds delay) {
    std::unique_lock lock(mutex);
    return ended.wait_for(lock, delay, [this] { return done; });
  }
};
} // namespace

static unsigned long mainThread = 0;

/// Jobs whose caller was interrupted; guarded by the GIL.
static std::vector<std::shared_ptr<Job>> &abandoned() {
  static auto *jobs = new std::vector<std::shared_ptr<Job>>();
  return *jobs;
}

/// After a fork it is said again, and what was left alone before is forgotten.
static PyObject *setMainThread(PyObject *, PyObject *identifier) {
  mainThread = PyLong_AsUnsignedLong(identifier);
  if (PyErr_Occurred())
    return nullptr;
  abandoned().clear();
  Py_RETURN_NONE;
}

/// Called without the GIL, from within a launch.
static bool isInterrupted(void *) {
  if (PyThread_get_thread_ident() != mainThread)
    return false;
  const PyGILState_STATE state = PyGILState_Ensure();
  const bool raised = PyErr_CheckSignals() != 0;
  PyGILState_Release(state);
  return raised;
}

bool listenForSignals() {
  tegula_error *error = tegula_set_interrupt_check(isInterrupted, nullptr);
  if (error)
    raise(error);
  return !error;
}

bool runInterruptibly(std::function<void()> work) {
  if (PyThread_get_thread_ident() != mainThread) {
    withoutGil(work);
    return true;
  }
  auto job = std::make_shared<Job>();
  std::thread([job, work = std::move(work)] {
    work();
    std::lock_guard lock(job->mutex);
    job->done = true;
    job->ended.notify_all();
  }).detach();
  for (;;) {
    if (withoutGil([&] { return job->wait(signalDelay); }))
      return true;
    if (PyErr_CheckSignals() != 0) {
      abandoned().push_back(job);
      return false;
    }
  }
}

/// Called when the interpreter ends.
static PyObject *waitForAbandoned(PyObject *, PyObject *) {
  for (const std::shared_ptr<Job> &job : abandoned()) {
    bool done = false;
    while (!done) {
      done = withoutGil([&] { return job->wait(signalDelay); });
      if (PyErr_CheckSignals() != 0)
        return nullptr;
    }
  }
  Py_RETURN_NONE;
}

PyMethodDef interruptFunctions[] = {{"set_main_thread", setMainThread, METH_O,
                                     "set_main_thread(identifier): the thread that handles signals."},
                                    {"wait_for_abandoned", waitForAbandoned, METH_NOARGS,
                                     "Waits for compilations that Ctrl-C has left alone."},
                                    {nullptr, nullptr, 0, nullptr}};

} // namespace tegula::python
