// Questions about the device and the language, answered at compile time from the target and the version that
// the launch names.
#include "compiler/frontend/builtins/tensor/BuiltinsTarget.h"

#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"

using namespace tegula;
using namespace tegula::eval;

Int eval::capability(const KernelSpec &spec) {
  llvm::StringRef digits(spec.target);
  unsigned number = 0;
  if (!digits.consume_front("sm_") || digits.consumeInteger(10, number))
    return 0;
  return number;
}

bool eval::targetHas(const KernelSpec &spec, bool Target::*feature) {
  const Target *target = lookupTarget(spec.target);
  return target && target->*feature;
}

std::string eval::targetExpected(bool Target::*feature) {
  return "expected a target of " + std::string(oldestTargetWith(feature).name) + " or later";
}

namespace {

Value isCuda(Call &call) { return true; }
Value isHip(Call &call) { return false; }

/// Returns true if the device is of at least the compute capability MAJOR.MINOR.
Value cudaCapabilityGeq(Call &call) {
  std::optional<Int> major = call.integer(0);
  std::optional<Int> minor = call.given(1) ? call.integer(1) : Int(0);
  return major && minor ? Value(capability(call.evaluator.spec) >= *major * 10 + *minor) : Value(Poison());
}

/// A fact, by name, that decides between versions in functions of the library.
struct NamedFact {
  std::string_view name;
  bool LanguageVersion::*fact;
};
constexpr NamedFact facts[] = {
    {"asserts_expected_zeros", &LanguageVersion::assertsExpectedZeros},
    {"checks_counts_of_topk", &LanguageVersion::checksCountsOfTopk},
    {"random_reflects_by_complement", &LanguageVersion::randomReflectsByComplement},
};

Value languageFact(Call &call, llvm::StringRef name) {
  const NamedFact *found =
      llvm::find_if(facts, [&](const NamedFact &one) { return one.name == std::string_view(name); });
  return found == std::end(facts) ? Value(Poison()) : Value(call.language().*(found->fact));
}

Value numWarps(Call &call) { return Int(call.evaluator.spec.warps()); }
Value numThreads(Call &call) { return Int(call.evaluator.spec.warps() << LaneBits); }

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsTarget.inc"
