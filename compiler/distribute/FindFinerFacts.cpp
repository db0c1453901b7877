// The pass `find-finer-facts`: Passes.td says what it is for.
#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/distribute/Passes.h"
#include "compiler/plan/AccessPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_FINDFINERFACTSPASS
#include "compiler/distribute/Passes.h.inc"

namespace {

/// The divisor that a launch tells of any argument that has it; only smaller powers of two are asked for.
constexpr uint32_t Told = 16;

/// Kernels of more ops are not asked about: each question analyses all of them.
constexpr unsigned MaxOps = 4000;

/// The questions about one kernel.
class FinerFacts {
public:
  explicit FinerFacts(func::FuncOp kernel) : kernel(kernel) {
    unsigned ops = 0;
    kernel.walk([&](Operation *op) {
      ++ops;
      Value address = tile::globalAccessOf(op).address;
      if (address && isa<RankedTensorType>(address.getType()))
        accesses.push_back(op);
    });
    if (ops > MaxOps)
      accesses.clear();
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
      if (tile::ParamAttr param = paramAt(i);
          param && param.getDivisibility() == 1 && mayDivide(kernel.getArgument(i).getType()))
        unknown.push_back(i);
  }

  void run() {
    if (accesses.empty() || unknown.empty())
      return;
    const Runs before = alignedRuns();
    setAll(Told);
    // Sizes alone, by which masks fall, differ from launch to launch: they are no reason to ask.
    if (alignedRuns() == before)
      return setAll(1);
    const Runs best = runs();
    SmallVector<std::pair<unsigned, uint32_t>> found;
    for (unsigned argument : unknown)
      if (uint32_t divisor = finest(argument, best); divisor > 1)
        found.emplace_back(argument, divisor);
    setAll(1);
    for (auto [argument, divisor] : found)
      kernel.setArgAttr(argument, "tile.finer",
                        IntegerAttr::get(IntegerType::get(kernel.getContext(), 32), divisor));
  }

private:
  /// Elements of each access that one instruction may make, by axis.
  using Runs = SmallVector<unsigned>;

  static bool mayDivide(Type type) {
    return isa<tile::PtrType>(type) || (type.isInteger() && type.getIntOrFloatBitWidth() > 1);
  }

  tile::ParamAttr paramAt(unsigned argument) {
    return kernel.getArgAttrOfType<tile::ParamAttr>(argument, "tile.param");
  }

  void set(unsigned argument, uint32_t divisor) {
    tile::ParamAttr param = paramAt(argument);
    kernel.setArgAttr(argument, "tile.param",
                      tile::ParamAttr::get(kernel.getContext(), param.getName(), param.getSpelling(), divisor,
                                           param.getNonNegative(), param.getConstant()));
  }

  void setAll(uint32_t divisor) {
    for (unsigned argument : unknown)
      set(argument, divisor);
  }

  /// The same without masks: what addresses alone allow.
  Runs alignedRuns() {
    AxisInfoAnalysis facts(kernel);
    Runs all;
    for (Operation *op : accesses) {
      const AxisInfo info = facts.of(tile::globalAccessOf(op).address);
      for (unsigned axis = 0; axis < info.rank(); ++axis)
        all.push_back(unsigned(std::min({info[axis].contiguity, info.alignedRun(axis),
                                         std::max<int64_t>(1, MaxAccessBytes / info.step())})));
    }
    return all;
  }

  Runs runs() {
    AxisInfoAnalysis facts(kernel);
    Runs all;
    for (Operation *op : accesses)
      if (std::optional<MemoryAccess> access = analyzeAccess(op, facts))
        all.append(access->runs);
    return all;
  }

  /// Returns the accesses where `argument` is known to be a multiple of `divisor`, all others of 16.
  Runs runsWith(unsigned argument, uint32_t divisor) {
    set(argument, divisor);
    Runs found = runs();
    set(argument, Told);
    return found;
  }

  /// Returns the least power of two below 16 that does as much for the accesses as 8 does, given `best`,
  /// which 16 gives: 1 where all are the same.
  uint32_t finest(unsigned argument, const Runs &best) {
    const Runs least = runsWith(argument, 1);
    if (least == best)
      return 1;
    const Runs most = runsWith(argument, Told / 2);
    if (most == least)
      return 1;
    for (uint32_t divisor : {2u, 4u})
      if (runsWith(argument, divisor) == most)
        return divisor;
    return Told / 2;
  }

  func::FuncOp kernel;
  SmallVector<Operation *> accesses;
  SmallVector<unsigned> unknown; ///< arguments of which nothing is known
};

struct FindFinerFacts : impl::FindFinerFactsPassBase<FindFinerFacts> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (!kernel.isExternal() && kernel->hasAttr("tile.kernel"))
        FinerFacts(kernel).run();
  }
};

} // namespace
} // namespace tegula
