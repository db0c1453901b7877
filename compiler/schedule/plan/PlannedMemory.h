// The shared memory that a kernel takes once what is decided about its loops and stores is carried out.
#pragma once

#include "compiler/analysis/resources/SharedMemory.h"
#include "compiler/schedule/plan/StorePlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// The shared memory of a pipelined loop.
struct LoopMemory {
  mlir::scf::ForOp loop;
  tgpu::PipelineBy by = tgpu::PipelineBy::All;
  unsigned stages = 1;
  llvm::SmallVector<std::pair<tgpu::AllocOp, unsigned>> buffers{}; ///< which are its own, with slots
  unsigned tmaGroups = 0;                                          ///< that have barriers, one a stage
};

/// The bytes that a block needs.
struct SharedNeed {
  uint64_t bytes = 0;     ///< that it takes
  uint64_t wanted = 0;    ///< that it would take if each store had the slots that it asks for
  uint64_t available = 0; ///< that it has

  bool fits() const { return bytes <= available; }
  bool hasRoom() const { return wanted <= available; }
};

/// A store of a product's result, and how TMA makes it, or why not.
struct PlannedStore {
  tile::StoreOp store;
  tile::ConvertLayoutOp conversion; ///< that goes with it, if TMA makes it
  Decision<TmaStorePlan> plan;
  llvm::SetVector<mlir::Operation *> followers{}; ///< before which it must be complete
};

/// Answers what a kernel needs, as it stands and as attributes of its loops say. Holds until an op is
/// changed.
class PlannedMemory {
public:
  explicit PlannedMemory(mlir::func::FuncOp kernel);

  /// Returns the need if no more is decided, or, with `persists`, that the kernel is to be persistent.
  SharedNeed need(bool persists = false) { return needOf(decided, kept, isPersistent || persists); }
  /// Returns the need if a producer fills `more` buffers as well, once a program.
  SharedNeed needKeeping(llvm::ArrayRef<tgpu::AllocOp> more);
  /// Returns the need if `loop` is pipelined like that.
  SharedNeed needWith(const LoopMemory &loop);
  /// Plans the stores of the kernel if no more is decided: with as many slots as there is room for.
  std::vector<PlannedStore> planStores();

private:
  /// The facts that hold whatever is decided about loops.
  struct Base {
    Base(mlir::func::FuncOp kernel, Scratches &scratches, bool isPersistent);
    KernelOrder order;
    SharedMemory memory;
    std::vector<PlannedStore> stores;
  };

  const Base &baseOf(bool persists);
  SharedNeed needOf(llvm::ArrayRef<LoopMemory> loops, llvm::ArrayRef<tgpu::AllocOp> filledOnce, bool persists,
                    llvm::SmallVectorImpl<unsigned> *slots = nullptr);

  mlir::func::FuncOp kernel;
  bool isPersistent;
  Scratches scratches;
  std::vector<LoopMemory> decided;
  llvm::SmallVector<tgpu::AllocOp> kept; ///< what a producer fills once a program
  std::optional<Base> bases[2];          ///< for a kernel that is to be persistent, and one that is not
};

} // namespace tegula
