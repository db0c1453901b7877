// `_native.Function`: what a jit function of Python is built on. It binds the arguments of a launch to
// parameters, finds the compiled kernel and launches it.
//
// A launch whose kernel is there runs no Python code but what the arguments themselves bring (the grid's
// lambda, `__eq__` of unusual compile-time values), and allocates nothing. Where something is missing it
// calls methods of the subclass in Python:
//
//     _kernel_for(values, options)              -> Kernel, with its compile-time values and options
//     _before_compile(kernel, types, bound, warmup)
//                                               -> (name for the code or None, told), or None: compile
//                                               nothing
//     _compiled_kernel(kernel, variant, device, told) -> the object that a launch returns
//     _changed_global(name, old, new)           raises
//     _run_hooks(args, kwargs)                  before each launch, once there is one
//     _launcher(grid)                           what `function[grid]` is where `run` is not this one
#pragma once

#include "runtime/python/native/Object.h"
#include "runtime/python/native/launch/CompileTimeKey.h"

#include <vector>

namespace tegula::python {

/// Ways in which a launch gives a parameter; Python has it too, with the names in capitals.
enum class Given { ByPlace, AsRest, ByName };

struct FunctionParameter {
  Ref name;     ///< interned
  Ref fallback; ///< the default, null without one
  bool isConstexpr;
};

/// A name of a module that was read when the kernel was compiled.
struct UsedGlobal {
  Ref globals, name, value;
};

struct FunctionState {
  std::vector<FunctionParameter> parameters;
  size_t positional = 0;    ///< how many of them arguments without a name fill
  bool takesRest = false;   ///< the next one gathers all further ones as a tuple: `*rest`
  std::vector<Ref> options; ///< names of the keywords beyond the parameters
  std::vector<UsedGlobal> globals;
  CompileTimeTable kernels;
  uint64_t knobs = 0; ///< how often a knob had changed when `kernels` was filled
  bool hasHooks = false;
  bool hasOwnRun = false; ///< a program has put another `run` in the place of this object's
};

using FunctionObject = Object<FunctionState>;

} // namespace tegula::python
