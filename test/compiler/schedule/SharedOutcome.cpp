#include "test/compiler/schedule/SharedOutcome.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/distribute/Passes.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/lower/Passes.h"
#include "compiler/schedule/plan/PlannedMemory.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::test {

namespace {

func::FuncOp kernelIn(Operation *module) { return *cast<ModuleOp>(module).getOps<func::FuncOp>().begin(); }

/// Asks after `plan-loops` what the plan needs, and after `allocate-shared` what there is.
class Observer : public PassInstrumentation {
public:
  explicit Observer(std::optional<SharedOutcome> &outcome) : outcome(outcome) {}

  void runAfterPass(Pass *pass, Operation *module) override {
    if (pass->getArgument() == "plan-loops")
      predict(kernelIn(module));
    else if (pass->getArgument() == "privatize-atomics")
      addTable(kernelIn(module));
    else if (pass->getArgument() == "allocate-shared")
      measure(kernelIn(module));
  }

  void runAfterPassFailed(Pass *pass, Operation *module) override {
    if (pass->getArgument() == "allocate-shared")
      outcome->needed = needed(kernelIn(module));
    else
      outcome.reset();
  }

private:
  void predict(func::FuncOp kernel) {
    const SharedNeed need = PlannedMemory(kernel).need();
    outcome = SharedOutcome{.predicted = need.bytes, .available = need.available};
  }

  /// Adds the table of atomic ops, which a plan for loops leaves out.
  void addTable(func::FuncOp kernel) {
    for (auto alloc : kernel.getOps<tgpu::AllocOp>())
      if (llvm::any_of(alloc->getUsers(), llvm::IsaPred<tgpu::LocalAtomicOp>))
        outcome->predicted += alloc.getType().getBytes();
  }

  void measure(func::FuncOp kernel) {
    outcome->needed = needed(kernel);
    const unsigned programs = kernel->getAttrOfType<tile::KernelAttr>("tile.kernel").getPrograms();
    auto ofBlock = [&](uint64_t bytes) { return programs * llvm::alignTo(bytes, 16); };
    uint64_t end = 0;
    kernel.walk([&](Operation *op) {
      if (auto place = op->getAttrOfType<tile::ScratchAttr>("tile.scratch"))
        end = std::max<uint64_t>(end, place.getOffset() + place.getBytes());
    });
    outcome->allocated = ofBlock(end);
    outcome->forBarriers = ofBlock(targetOf(kernel)->sharedAtFullOccupancy());
  }

  static uint64_t needed(func::FuncOp kernel) {
    Scratches scratches(kernel);
    return SharedMemory(kernel, scratches, KernelOrder(kernel)).place();
  }

  std::optional<SharedOutcome> &outcome;
};

} // namespace

std::optional<SharedOutcome> sharedOutcomeOf(const std::string &text) {
  DialectRegistry registry;
  registerTegulaDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return std::nullopt;
  std::optional<SharedOutcome> outcome;
  PassManager passes(&context);
  passes.addInstrumentation(std::make_unique<Observer>(outcome));
  passes.addPass(createFormBoxesPass()); // which are there, unless the text is written by hand
  buildSchedulePipeline(passes);
  passes.addPass(createExpandMathPass());
  passes.addPass(createAllocateSharedPass());
  (void)passes.run(*module);
  return outcome;
}

std::optional<std::string> brokenBy(const SharedOutcome &outcome, uint64_t mostSurplus) {
  const auto [predicted, available, needed, allocated, forBarriers] = outcome;
  if (needed > predicted)
    return llvm::formatv("{0} bytes needed, {1} predicted", needed, predicted);
  if (predicted > needed + mostSurplus)
    return llvm::formatv("{0} bytes needed, but {1} predicted", needed, predicted);
  if (predicted <= available && needed > 0 && allocated == 0)
    return llvm::formatv("nothing allocated, where {0} bytes are needed", needed);
  if (allocated > std::max(predicted, forBarriers))
    return llvm::formatv("{0} bytes allocated, {1} predicted", allocated, predicted);
  return std::nullopt;
}

} // namespace tegula::test
