#include "compiler/analysis/resources/RegisterPressure.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/resources/RegisterCount.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

namespace {

/// Addresses of copies and buffers, counters, and what the assembler keeps in flight. With 40, attention of
/// 128 by 64 with heads of 64 on four warps kept its queries in registers, and ptxas spilled; with 56 what
/// ptxas takes is within 16 of the estimate for all of attention's configurations.
constexpr uint32_t OtherRegisters = 56;

/// The same for a kernel of groups of warps, closely: at least, and where the assembler is left alone.
/// Products take 26 registers beyond their sums; attention 22, and with 17 ptxas spilled 20 bytes.
constexpr uint32_t LeastOthers = 22, LikelyOthers = 27;

/// Loads of an iteration that these suffice for, and the registers that each further one takes: its address
/// and mask. Attention's backward pass has four, and spilled where the estimate was 248.
constexpr uint32_t UsualLoads = 2, RegistersOfLoad = 4;

/// The elements along K that are loaded at a time where threads multiply by themselves: a vector of f32.
constexpr int64_t StepOfThreads = 4;

/// True where the sums of `dot` are in registers that the loop carries anyway.
bool addsToCarried(scf::ForOp loop, tile::DotOp dot) {
  auto argument = dyn_cast<BlockArgument>(dot.getAccumulator());
  return (argument && argument.getOwner() == loop.getBody()) ||
         llvm::is_contained(dot->getUsers(), loop.getBody()->getTerminator());
}

bool addsToCarried(scf::ForOp loop, tgpu::MmaOp product) {
  if (carriedSums(product, loop))
    return true;
  // A carried value may be scaled first: it is no longer needed as it was.
  auto wait = dyn_cast<tgpu::MmaWaitOp>(*product->getUsers().begin());
  return product.getSums() && wait && wait.getSums().size() == 1 &&
         llvm::is_contained(wait->getUsers(), loop.getBody()->getTerminator());
}

uint32_t registersAcross(tile::DotOp dot) {
  uint32_t registers = 0;
  for (Value value : heldAcross(dot))
    registers += registersOf(value);
  return registers;
}

void walkLoopsOfProducts(func::FuncOp kernel, llvm::function_ref<void(scf::ForOp)> visit) {
  kernel.walk([&](scf::ForOp loop) {
    if (!loop.getBody()->getOps<tgpu::MmaOp>().empty())
      visit(loop);
  });
}

/// Returns the registers of sums in `loop` that are selected under a mask which `counts`, at most.
uint32_t maskedSums(scf::ForOp loop, llvm::function_ref<bool(Value)> counts) {
  uint32_t masked = 0;
  for (tgpu::MmaOp product : loop.getBody()->getOps<tgpu::MmaOp>())
    for (Operation *user : (*product->getUsers().begin())->getUsers())
      if (auto select = dyn_cast<arith::SelectOp>(user); select && counts(select.getCondition()))
        masked = std::max(masked, registersOf(product.getSumsType()));
  return masked;
}

uint32_t carriedRegisters(scf::ForOp loop) {
  uint32_t carried = 0;
  for (Value value : loop.getRegionIterArgs())
    if (!isa<tile::PtrType>(tile::elementTypeOf(value.getType())))
      carried += registersOf(value);
  return carried;
}

/// The registers of products that a unit computes on its own: only the sums, also of those that start before
/// one is waited for, and operands that are not in buffers.
struct ProductRegisters {
  uint32_t sums = 0;    ///< not carried, in flight together
  uint32_t operand = 0; ///< of one that threads compute
  uint32_t fullest = 0; ///< of both, at a time
};

ProductRegisters registersInFlight(scf::ForOp loop) {
  auto sumsOf = [&](tgpu::MmaOp product) {
    return addsToCarried(loop, product) ? 0 : registersOf(product.getSumsType());
  };
  ProductRegisters registers;
  loop.getBody()->walk([&](tgpu::MmaOp product) {
    uint32_t sums = sumsOf(product);
    for (Operation *op = product->getNextNode(); op && !isa<tgpu::MmaWaitOp>(op); op = op->getNextNode())
      if (auto other = dyn_cast<tgpu::MmaOp>(op))
        sums += sumsOf(other);
    const uint32_t operand = product.getBufferA() ? 0 : registersOf(product.getOperandTensor(0));
    registers.sums = std::max(registers.sums, sums);
    registers.operand = std::max(registers.operand, operand);
    registers.fullest = std::max(registers.fullest, sums + operand);
  });
  // Those that wait for no other start together (`defer-waits`).
  SmallVector<tgpu::MmaOp> first = productsTogether(loop);
  if (first.size() > 1) {
    uint32_t together = 0;
    for (tgpu::MmaOp product : first)
      together += sumsOf(product);
    registers.sums = std::max(registers.sums, together);
    registers.fullest = std::max(registers.fullest, together + registers.operand);
  }
  return registers;
}

} // namespace

BlockArgument carriedSums(tgpu::MmaOp product, scf::ForOp loop) {
  auto begin = product.getSums() ? product.getSums().getDefiningOp<tgpu::MmaBeginOp>() : tgpu::MmaBeginOp();
  auto sums = begin ? dyn_cast<BlockArgument>(begin.getSums()) : BlockArgument();
  return sums && sums.getOwner() == loop.getBody() ? sums : BlockArgument();
}

llvm::SmallVector<tgpu::MmaOp> productsTogether(scf::ForOp loop) {
  auto isComputed = [&](Value buffer) {
    return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
      auto store = dyn_cast<tgpu::LocalStoreOp>(user);
      return store && store->getBlock() == loop.getBody() && !store.getSource().getDefiningOp<tile::LoadOp>();
    });
  };
  llvm::SmallVector<tgpu::MmaOp> together;
  for (auto product : loop.getBody()->getOps<tgpu::MmaOp>())
    if (!product.isPart() && !product.getSums() && product.getBufferA() && !isComputed(product.getA()) &&
        !isComputed(product.getB()))
      together.push_back(product);
  return together;
}

uint32_t estimateRegistersOfKernel(func::FuncOp kernel, Masks masks) {
  uint32_t most = 0;
  walkLoopsOfProducts(kernel, [&](scf::ForOp loop) {
    const uint32_t masked = masks == Masks::Spread ? maskedSums(loop, [](Value) { return true; }) : 0;
    most = std::max(most, estimateRegisters(loop) + masked);
  });
  return most;
}

RegisterRange registersOfProducts(func::FuncOp kernel) {
  RegisterRange range;
  walkLoopsOfProducts(kernel, [&](scf::ForOp loop) {
    const ProductRegisters products = registersInFlight(loop);
    const uint32_t least = carriedRegisters(loop) + products.sums + products.operand + LeastOthers;
    // A condition on columns alone is the same for all rows, and takes next to nothing.
    const uint32_t masked =
        maskedSums(loop, [](Value mask) { return !mask.getDefiningOp<tile::BroadcastOp>(); });
    range.least = std::max(range.least, least);
    range.likely = std::max(range.likely, least + LikelyOthers - LeastOthers + masked);
  });
  return range;
}

uint32_t registersOfLateness(scf::ForOp loop) {
  SmallVector<tgpu::MmaOp> products(loop.getBody()->getOps<tgpu::MmaOp>());
  const bool isChained =
      products.size() == 2 && !products[1].getBufferA() && addsToCarried(loop, products[1]);
  return isChained ? registersOf(products[1].getOperandTensor(0)) : 0;
}

llvm::SmallVector<Value> heldAcross(tile::DotOp dot) {
  Block &body = *dot->getBlock();
  auto isLater = [&](Operation *user) {
    Operation *own = body.findAncestorOpInBlock(*user);
    return own && dot->isBeforeInBlock(own) && !own->hasTrait<OpTrait::IsTerminator>();
  };
  llvm::SmallVector<Value> held;
  for (Operation &op : llvm::make_range(body.begin(), dot->getIterator()))
    if (isa<tile::DotOp>(op) || op.hasTrait<OpTrait::Elementwise>())
      for (Value value : op.getResults())
        if (isa<FloatType>(getElementTypeOrSelf(value)) && llvm::any_of(value.getUsers(), isLater))
          held.push_back(value);
  return held;
}

int64_t stepOfDot(tile::DotOp dot) {
  tile::MatrixUnitAttr unit = dot.getUnitAttr();
  bool isByThreads = !unit || unit.getKind() == tile::MatrixUnitKind::FMA;
  return std::min(isByThreads ? StepOfThreads : int64_t(unit.getK()), dot.getK());
}

Value beforeTransposition(Value operand) {
  while (auto trans = operand.getDefiningOp<tile::TransOp>())
    operand = trans.getSource();
  return operand;
}

uint32_t estimateRegisters(scf::ForOp loop, llvm::function_ref<bool(Value)> isInBuffer) {
  uint32_t carried = carriedRegisters(loop), fullest = 0;
  llvm::SmallDenseSet<Value> held;
  loop.getBody()->walk([&](tile::DotOp dot) {
    uint32_t needed = registersAcross(dot) + (addsToCarried(loop, dot) ? 0 : registersOf(dot.getResult()));
    int64_t steps = dot.getK() / stepOfDot(dot);
    for (Value operand : {dot.getA(), dot.getB()}) {
      uint32_t whole = registersOf(operand);
      Value source = beforeTransposition(operand);
      bool isCut = isInBuffer(source) && steps > 2;
      if (!isCut && loop.isDefinedOutsideOfLoop(source))
        held.insert(source);
      else
        needed += isCut ? uint32_t(2 * whole / steps) : whole;
    }
    fullest = std::max(fullest, needed);
  });
  for (Value value : held)
    carried += registersOf(value);
  fullest = std::max(fullest, registersInFlight(loop).fullest);
  // Groups of warps multiply what lies in shared memory. Where their loads were counted, and addresses
  // computed anew behind loops, attention's backward pass with heads of 64 and 1024 keys had 0.83 of its rate
  // on an H100.
  const Target *target = targetOf(loop);
  const uint32_t loads =
      target && target->warpgroupMma ? 0 : uint32_t(llvm::range_size(loop.getBody()->getOps<tile::LoadOp>()));
  return carried + fullest + OtherRegisters + (std::max(loads, UsualLoads) - UsualLoads) * RegistersOfLoad;
}

} // namespace tegula
