// The pass `pipeline-loops`: Passes.td says what it makes of loops.
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/pipeline/SoftwarePipeliner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {
#define GEN_PASS_DEF_PIPELINELOOPSPASS
#include "compiler/schedule/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

namespace {

struct PipelineLoops : impl::PipelineLoopsPassBase<PipelineLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops; // inner ones first
    getOperation().walk([&](scf::ForOp loop) {
      auto pipeline = loop->getAttrOfType<tgpu::PipelineAttr>(tgpu::PipelineAttr::AttrName);
      if (pipeline && pipeline.getBy() == tgpu::PipelineBy::All)
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
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
