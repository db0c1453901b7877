// A launch: from the arguments of a call in Python to the device.
#pragma once

#include "runtime/python/native/launch/Binding.h"

namespace tegula::python {

/// Gives the `CompiledKernel` that was launched, or null with an exception set.
PyObject *launch(const LaunchCall &call);

/// look_up_again(): a knob has changed, on which the code of kernels may depend. The next launch of each
/// function asks `_kernel_for` anew.
PyObject *lookUpAgain(PyObject *module, PyObject *);

/// set_launch_hooks(knobs): the dict whose `launch_enter_hook` and `launch_exit_hook` are called with a
/// launch's metadata before and after it.
PyObject *setLaunchHooks(PyObject *module, PyObject *knobs);
/// set_memory_helpers(host_range, host_pointer): host_range(object) gives the (start, bytes, read-only) of
/// the memory that an object lies in; host_pointer(index, name, object) raises where a GPU cannot reach it.
PyObject *setMemoryHelpers(PyObject *module, PyObject *args);

/// set_run_time_mark(object): what stands in a tuple's form where an argument is passed.
PyObject *setRunTimeMark(PyObject *module, PyObject *mark);
/// set_named_form(function): makes the form of a tuple of a class of its own from the tuple and the form
/// without names.
PyObject *setNamedForm(PyObject *module, PyObject *make);

} // namespace tegula::python
