#include "compiler/driver/Worker.h"

#include "compiler/driver/Pipeline.h"

namespace tegula {

const std::array<PassStage, 4> passStages = {
    {{Stage::Tile, "tegula-simplify", buildSimplifyPipeline},
     {Stage::Distributed, "tegula-distribute", buildDistributePipeline},
     {Stage::Scheduled, "tegula-schedule", buildSchedulePipeline},
     {Stage::Llvm, "tegula-lower", buildLowerPipeline}}};

/// Types and attributes are never freed while their context lives, so a context is replaced in time.
static constexpr unsigned MaxWorkerUses = 500;

static mlir::DialectRegistry registry() {
  mlir::DialectRegistry registry;
  registerTegulaDialects(registry);
  return registry;
}

Worker::Worker() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
  context.loadAllAvailableDialects();
  for (const PassStage &stage : passStages) {
    auto &manager = managers.emplace_back(std::make_unique<mlir::PassManager>(&context));
    stage.build(*manager);
    // A module is verified at the end of each stage, not between its passes: that took 5 to 15 % of the time
    // of large kernels, where `tegula-opt` tells as well which pass it was.
    manager->enableVerifier(false);
  }
}

std::unique_ptr<Worker> Workers::take() {
  {
    std::lock_guard lock(mutex);
    if (!idle.empty()) {
      std::unique_ptr<Worker> worker = std::move(idle.back());
      idle.pop_back();
      return worker;
    }
  }
  return std::make_unique<Worker>();
}

void Workers::giveBack(std::unique_ptr<Worker> worker, bool isLost) {
  if (isLost) {
    [[maybe_unused]] Worker *leftAlone = worker.release();
    return;
  }
  if (++worker->uses >= MaxWorkerUses)
    return;
  std::lock_guard lock(mutex);
  idle.push_back(std::move(worker));
}

} // namespace tegula
