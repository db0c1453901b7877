// State of a `_native.Function`.
#pragma once

#include "runtime/python/native/launch/CompileTimeKey.h"

#include <vector>

namespace tegula::python {

struct FunctionParameter {
  PyObject *name;     ///< interned
  PyObject *fallback; ///< the default, null without one
  bool isConstexpr;
};

/// A name of a module that was read when the kernel was compiled.
struct UsedGlobal {
  PyObject *globals, *name, *value;
};

struct FunctionState {
  std::vector<FunctionParameter> parameters;
  size_t positional = 0;           ///< how many of them arguments without a name fill
  bool takesRest = false;          ///< the next one gathers all further ones as a tuple: `*rest`
  std::vector<PyObject *> options; ///< names of the keywords beyond the parameters
  std::vector<UsedGlobal> globals;
  CompileTimeTable kernels;
  uint64_t knobs = 0; ///< how often a knob had changed when `kernels` was filled
  bool hasHooks = false;
  bool hasOwnRun = false; ///< a program has put another `run` in the place of this object's
};

struct FunctionObject {
  PyObject ob_base;
  FunctionState *state;
};

} // namespace tegula::python
