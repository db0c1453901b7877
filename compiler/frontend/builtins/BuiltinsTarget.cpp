// Questions about the device, answered at compile time from the target that the launch names.
#include "compiler/frontend/builtins/BuiltinsTarget.h"

#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/Call.h"

using namespace tegula;
using namespace tegula::eval;

Int eval::capability(const KernelSpec &spec) {
  llvm::StringRef digits(spec.target);
  unsigned number = 0;
  if (!digits.consume_front("sm_") || digits.consumeInteger(10, number))
    return 0;
  return number;
}

namespace {

Value isCuda(Call &call) { return true; }
Value isHip(Call &call) { return false; }

/// Whether the device is of at least the compute capability MAJOR.MINOR.
Value capabilityAtLeast(Call &call) {
  std::optional<Int> major = call.integer(0);
  std::optional<Int> minor = call.given(1) ? call.integer(1) : Int(0);
  return major && minor ? Value(capability(call.evaluator.spec) >= *major * 10 + *minor) : Value(Poison());
}

Value numWarps(Call &call) { return Int(call.evaluator.spec.numWarps); }
Value numThreads(Call &call) { return Int(call.evaluator.spec.numWarps << LaneBits); }

constexpr Builtin table[] = {
    {"is_cuda", InTargetInfo, "", isCuda},
    {"is_hip", InTargetInfo, "", isHip},
    {"cuda_capability_geq", InTargetInfo, "major, minor=0", capabilityAtLeast},
    {"num_warps", InCuda, "", numWarps},
    {"num_threads", InCuda, "", numThreads},
};

} // namespace

std::span<const Builtin> eval::targetBuiltins() { return table; }
