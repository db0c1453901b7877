// The pass `pipeline-loops`: Passes.td says what it makes of loops.
#include "compiler/analysis/FindOps.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/pipeline/SoftwarePipeliner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_PIPELINELOOPSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

struct PipelineLoops : impl::PipelineLoopsPassBase<PipelineLoops> {
  void runOnOperation() override {
    auto isPlanned = [](scf::ForOp loop) {
      auto pipeline = loop->getAttrOfType<tgpu::PipelineAttr>(tgpu::PipelineAttr::AttrName);
      return pipeline && pipeline.getBy() == tgpu::PipelineBy::All;
    };
    for (scf::ForOp loop : opsOf<scf::ForOp>(getOperation(), isPlanned)) {
      FailureOr<LoopSchedule> schedule = takeSchedule(loop);
      if (failed(schedule))
        return signalPassFailure();
      auto function = loop->getParentOfType<func::FuncOp>();
      if (Decision<> pipelined = pipelineLoop(loop, *schedule); !pipelined) {
        function.emitError("expected a loop that can be pipelined: ") << pipelined.error().text;
        return signalPassFailure();
      }
    }
  }
};

} // namespace

} // namespace tegula
