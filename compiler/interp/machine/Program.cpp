// A function as lists of steps.
#include "compiler/interp/machine/Machine.h"
#include "compiler/interp/machine/TrustedRuns.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::interp {

static const HandlerTable &handlers() {
  static const HandlerTable table = [] {
    HandlerTable made;
    for (AddOps *add :
         {addIntegerOps, addFloatOps, addCastOps, addRoundedOps, addShapeOps, addMemoryOps, addViewOps,
          addAtomicOps, addReductionOps, addControlOps, addHintOps, addDeviceOps, addDotOps, addBufferOps,
          addProductOps, addTmaOps, addPipelineOps, addTmaStoreOps, addProducerOps})
      add(made);
    return made;
  }();
  return table;
}

namespace {

class Builder {
public:
  Builder(Program &program, std::optional<Fault> &problem) : program(program), problem(problem) {}

  LogicalResult block(Block &block, const Code *&built) {
    Code &code = program.blocks.emplace_back();
    built = &code;
    code.firstArgument = program.slots;
    for (BlockArgument argument : block.getArguments())
      if (failed(number(argument, argument.getLoc())))
        return failure();
    code.steps.reserve(block.getOperations().size());
    for (Operation &op : block)
      if (failed(step(op, code)))
        return failure();
    markDead(block, code);
    return success();
  }

private:
  LogicalResult fail(Location location, std::string text) {
    problem = Fault{std::move(text), location, {}, {}};
    return failure();
  }

  LogicalResult number(Value value, Location location) {
    // A buffer, a map and barriers are known by the op that makes them: no loop or branch hands one on.
    Type type = value.getType();
    if (auto inFlight = dyn_cast<tgpu::InFlightType>(type))
      type = inFlight.getTensor();
    if (isa<tgpu::PipelineStateType>(type))
      type = IntegerType::get(value.getContext(), 32);
    if (!isInterpretable(type) &&
        !isa_and_nonnull<tgpu::AllocOp, tgpu::TensorMapOp, tgpu::BarriersOp>(value.getDefiningOp()))
      return fail(location, llvm::formatv("the interpreter has no values of type `{0}`", value.getType()));
    slotOf[value] = program.slots++;
    return success();
  }

  LogicalResult step(Operation &op, Code &code) {
    Step &step = code.steps.emplace_back();
    step.op = &op;
    for (Value operand : op.getOperands())
      step.operands.push_back(slotOf.lookup(operand));
    if (op.hasTrait<OpTrait::IsTerminator>())
      return success();
    step.run = handlers().lookup(op.getName().getTypeID());
    if (!step.run)
      return fail(op.getLoc(),
                  llvm::formatv("the interpreter does not know the operation `{0}`", op.getName()));
    step.firstResult = program.slots;
    for (OpResult result : op.getResults())
      if (failed(number(result, op.getLoc())))
        return failure();
    for (Region &region : op.getRegions()) {
      step.bodies.push_back(nullptr);
      if (region.empty())
        continue;
      if (!region.hasOneBlock())
        return fail(op.getLoc(), llvm::formatv("expected one block in each region of `{0}`", op.getName()));
      if (failed(block(region.front(), step.bodies.back())))
        return failure();
    }
    return success();
  }

  /// Tensors are large and a kernel has hundreds: each goes after its last use. Values of a block's arguments
  /// are overwritten by the next round of a loop.
  void markDead(Block &block, Code &code) {
    llvm::DenseMap<Operation *, size_t> order;
    for (auto [index, step] : llvm::enumerate(code.steps))
      order[step.op] = index;
    for (Operation &op : block)
      for (OpResult result : op.getResults()) {
        size_t last = order[&op];
        for (Operation *user : result.getUsers())
          last = std::max(last, order[block.findAncestorOpInBlock(*user)]);
        code.steps[last].dead.push_back(slotOf[result]);
      }
  }

  Program &program;
  std::optional<Fault> &problem;
  llvm::DenseMap<Value, unsigned> slotOf;
};

} // namespace

LogicalResult buildProgram(func::FuncOp function, Program &program, std::optional<Fault> &problem) {
  if (!function.getBody().hasOneBlock()) {
    problem = Fault{"expected a function of one block", function.getLoc(), {}, {}};
    return failure();
  }
  return Builder(program, problem).block(function.getBody().front(), program.entry);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

struct Kernel::Impl {
  func::FuncOp function;
  Program program;
  llvm::DenseMap<Operation *, TrustedRuns> trusted; ///< its steps refer to these

  /// Accesses that compiled code takes on trust are checked first.
  void checkTrusted() {
    trusted = findTrustedRuns(function);
    for (Code &code : program.blocks)
      for (Step &step : code.steps)
        if (auto found = trusted.find(step.op); found != trusted.end()) {
          found->second.run = step.run;
          step.trusted = &found->second;
          step.run = runTrusted;
        }
  }
};

Kernel::Kernel(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Kernel::~Kernel() = default;

std::unique_ptr<Kernel> Kernel::prepare(func::FuncOp function, std::optional<Fault> &problem) {
  auto impl = std::make_unique<Impl>();
  impl->function = function;
  if (failed(buildProgram(function, impl->program, problem)))
    return nullptr;
  impl->checkTrusted();
  return std::unique_ptr<Kernel>(new Kernel(std::move(impl)));
}

std::optional<Fault> Kernel::launch(Grid grid, llvm::ArrayRef<uint64_t> arguments, Memory &memory,
                                    const Options &options) const {
  FunctionType type = impl->function.getFunctionType();
  if (arguments.size() != type.getNumInputs())
    return Fault{llvm::formatv("expected {0} arguments, found {1}", type.getNumInputs(), arguments.size()),
                 impl->function.getLoc(),
                 {},
                 {}};
  Machine machine(impl->program, grid, memory, options);
  machine.arguments = arguments;
  const Code &entry = *impl->program.entry;
  for (auto [index, bits] : llvm::enumerate(arguments)) {
    Type of = type.getInput(index); // nothing writes to these slots, so they are set for all programs
    machine.setSlot(entry.firstArgument + index, Tensor::scalar(of, bits & Element(of).mask()));
  }
  Grid &at = machine.program;
  if (impl->function->hasAttr("tile.persistent"))
    machine.blocks = {uint32_t(std::min(uint64_t(grid[0]) * grid[1] * grid[2], uint64_t(options.blocks))), 1,
                      1};
  const Grid &blocks = machine.blocks;
  uint64_t done = 0, index = 0;
  for (at[2] = 0; at[2] < blocks[2]; ++at[2])
    for (at[1] = 0; at[1] < blocks[1]; ++at[1])
      for (at[0] = 0; at[0] < blocks[0]; ++at[0]) {
        if (index++ < options.firstProgram)
          continue;
        if (options.observer && !options.observer->begin(index - 1, at)) {
          (void)machine.stop(entry.steps.front());
          return machine.fault;
        }
        machine.spent = 0;
        if (!machine.shared.buffers.empty()) // copies go to buffers, so without one there is nothing
          machine.shared = SharedMemory();
        if (failed(machine.run(entry)) || failed(machine.endCoroutine(entry.steps.back())) ||
            failed(checkAllAwaited(machine)))
          return machine.fault;
        writeStores(machine, 0);
        machine.producer.reset();
        ++done;
        if (options.progress)
          options.progress(done);
      }
  return std::nullopt;
}

} // namespace tegula::interp
