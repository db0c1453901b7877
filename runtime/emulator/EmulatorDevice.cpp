#include "runtime/emulator/EmulatorDevice.h"

#include "runtime/device/HostQueue.h"
#include "runtime/device/HostRanges.h"
#include "runtime/emulator/FabricQueue.h"
#include "runtime/emulator/Random.h"
#include "runtime/emulator/Schedules.h"
#include "runtime/emulator/async/BulkArray.h"
#include "runtime/emulator/machine/Launch.h"
#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/warp/Load.h"
#include "runtime/emulator/warp/Recorder.h"
#include "runtime/host/Environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>

namespace tegula::runtime {

using ptx::Allocation;

namespace {

/// The profile of a kernel, while it grows.
struct Profiled {
  Profiled(ptx::Module &module, const KernelImage &image)
      : kernel(nameOf(image)), text(image.ptx), recorder(module), counters(module.places.size()) {}
  std::string kernel, text;
  ptx::Recorder recorder;
  std::vector<Counters> counters; ///< by place
};

} // namespace

struct EmulatorDevice::State {
  explicit State(EmulatorOptions given, std::shared_ptr<FabricQueue> queue = nullptr, uint32_t number = 0)
      : options(std::move(given)), fabric(std::move(queue)), rank(number), ownMemory(options.memory),
        mutex(fabric ? fabric->mutex : ownMutex), memory(fabric ? fabric->memory.memory : ownMemory) {
    properties.name = properties.kind = "emulator";
    properties.arch = options.arch;
    properties.multiprocessors = options.multiprocessors;
    properties.totalMemory = options.memory;
    properties.maxSharedPerBlock = ptx::architectureOf(options.arch).maxSharedPerBlock;
  }

  /// Fills in a launch, which `params`, `program` and `image` must outlive.
  void prepare(ptx::LaunchContext &launch, const ptx::Program &program, const ptx::Function &entry,
               const KernelImage &image, Grid grid, uint32_t clusterBlocks, std::span<const std::byte> params,
               uint64_t seed);
  /// One run of a launch. `reports` counts and prints. Errors: Fault, Interrupted.
  Result<void> runOnce(const ptx::Program &program, const ptx::Function &entry, const KernelImage &image,
                       const std::shared_ptr<Profiled> &profiled, Grid grid, uint32_t clusterBlocks,
                       std::span<const std::byte> params, uint64_t seed, bool reports);
  /// Adds what a launch has cost to the report.
  void count(const ptx::LaunchContext &launch, const KernelImage &image);

  /// Carries out what streams and events wait for.
  Settle settler() const {
    if (!fabric)
      return {};
    return [queue = fabric] { return queue->settle(); };
  }

  EmulatorOptions options;
  DeviceProperties properties;
  std::shared_ptr<FabricQueue> fabric; ///< null where the device is alone
  uint32_t rank;
  std::mutex ownMutex;
  ptx::GlobalMemory ownMemory;
  std::mutex &mutex;         ///< of the fabric, where there is one
  ptx::GlobalMemory &memory; ///< likewise
  HostRanges mapped;         ///< what of the host is in `memory`
  std::map<std::pair<std::string, uint32_t>, Counters> rows;
  uint64_t launches = 0, blocks = 0;
  std::shared_ptr<Profiled> lastProfiled; ///< null without `EmulatorOptions::profile`
  std::string printed;
  ProgressCallback progress;
};

namespace {

/// A module with its variables in the device's memory.
class EmulatorKernel final : public LoadedKernel {
public:
  EmulatorKernel(KernelImage image, ptx::Program loaded, std::shared_ptr<Profiled> profiled,
                 std::function<void(const ptx::Program &)> unload)
      : LoadedKernel(std::move(image)), program(new ptx::Program(std::move(loaded)),
                                                [unload](auto *gone) {
                                                  unload(*gone);
                                                  delete gone;
                                                }),
        profiled(std::move(profiled)) {
    entry = program->module.findEntry(kernelImage.entry);
  }

  std::shared_ptr<const ptx::Program> program; ///< shared with launches that are queued
  const ptx::Function *entry = nullptr;
  std::shared_ptr<Profiled> profiled; ///< null without `EmulatorOptions::profile`
};

} // namespace

EmulatorDevice::EmulatorDevice(EmulatorOptions options)
    : state(std::make_shared<State>(std::move(options))) {}
EmulatorDevice::EmulatorDevice(EmulatorOptions options, std::shared_ptr<FabricQueue> fabric, uint32_t rank)
    : state(std::make_shared<State>(std::move(options), std::move(fabric), rank)) {}
EmulatorDevice::~EmulatorDevice() = default;

Result<void> EmulatorDevice::settle() { return state->fabric ? state->fabric->settle() : Result<void>{}; }

const DeviceProperties &EmulatorDevice::properties() const { return state->properties; }

Result<DeviceAddress> EmulatorDevice::allocate(size_t bytes) {
  const std::lock_guard lock(state->mutex);
  Allocation *made = state->memory.allocate(bytes);
  if (!made)
    return Error{ErrorKind::OutOfResources,
                 fmt::format("cannot allocate {} bytes: {} of {} are in use", bytes,
                             state->memory.bytesInUse(), state->options.memory),
                 {"memory", bytes, state->options.memory - state->memory.bytesInUse()}};
  made->owner = state->fabric ? int32_t(state->rank) : -1;
  return made->base;
}

Result<void> EmulatorDevice::free(DeviceAddress address) {
  TRY(settle());
  const std::lock_guard lock(state->mutex);
  if (!state->memory.free(address))
    return Error{ErrorKind::InvalidArgument, fmt::format("{:#x} is not the start of an allocation", address)};
  return {};
}

static Result<Allocation *> rangeOf(ptx::GlobalMemory &memory, DeviceAddress address, size_t bytes) {
  Allocation *found = memory.find(address);
  if (!found || found->freed || !found->contains(address, bytes))
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("the {} bytes at {:#x} are not inside an allocation", bytes, address)};
  return found;
}

Result<void> EmulatorDevice::copyToDevice(DeviceAddress to, const void *from, size_t bytes) {
  TRY(settle());
  const std::lock_guard lock(state->mutex);
  if (bytes == 0)
    return {};
  Allocation *target = TRY(rangeOf(state->memory, to, bytes));
  std::memcpy(target->data.get() + (to - target->base), from, bytes);
  state->memory.markRange(*target, to - target->base, bytes);
  return {};
}

Result<void> EmulatorDevice::copyToHost(void *to, DeviceAddress from, size_t bytes) {
  TRY(settle());
  const std::lock_guard lock(state->mutex);
  if (bytes == 0)
    return {};
  Allocation *source = TRY(rangeOf(state->memory, from, bytes));
  std::memcpy(to, source->data.get() + (from - source->base), bytes);
  return {};
}

Result<void> EmulatorDevice::copyOnDevice(DeviceAddress to, DeviceAddress from, size_t bytes) {
  TRY(settle());
  const std::lock_guard lock(state->mutex);
  if (bytes == 0)
    return {};
  Allocation *target = TRY(rangeOf(state->memory, to, bytes));
  Allocation *source = TRY(rangeOf(state->memory, from, bytes));
  const uint64_t toOffset = to - target->base, fromOffset = from - source->base;
  std::memmove(target->data.get() + toOffset, source->data.get() + fromOffset, bytes);
  state->memory.copyInitialised(*target, toOffset, *source, fromOffset, bytes);
  return {};
}

Result<void> EmulatorDevice::mapHost(void *address, size_t bytes, bool isReadOnly) {
  // Launches that are queued do not see it: nothing has to be waited for.
  HostRange range = TRY(hostRange(address, bytes, isReadOnly));
  const std::lock_guard lock(state->mutex);
  return state->fabric ? state->fabric->memory.map(state->rank, range)
                       : state->mapped.map(state->memory, range);
}

Result<void> EmulatorDevice::unmapHost(void *address, size_t bytes) {
  TRY(settle());
  HostRange range = TRY(hostRange(address, bytes));
  const std::lock_guard lock(state->mutex);
  return state->fabric ? state->fabric->memory.unmap(state->rank, range)
                       : state->mapped.unmap(state->memory, range);
}

Result<std::unique_ptr<Stream>> EmulatorDevice::createStream() { return makeHostStream(state->settler()); }
Result<std::unique_ptr<Event>> EmulatorDevice::createEvent() {
  return makeHostEvent("emulator", state->settler());
}
Result<void> EmulatorDevice::synchronize() { return settle(); }

Result<std::unique_ptr<LoadedKernel>> EmulatorDevice::load(KernelImage image) {
  Result<ptx::Module> module = ptx::parse(image.ptx);
  if (!module)
    return Error{module.error().kind,
                 fmt::format("cannot load `{}`: {}", nameOf(image), module.error().text)};
  const std::lock_guard lock(state->mutex);
  TRY(ptx::checkImage(*module, image, state->properties));
  std::shared_ptr<Profiled> profiled;
  if (state->options.profile && !state->fabric)
    profiled = std::make_shared<Profiled>(*module, image);
  Result<ptx::Program> program = ptx::place(std::move(*module), state->memory);
  if (!program)
    return Error{program.error().kind,
                 fmt::format("cannot load `{}`: {}", nameOf(image), program.error().text)};
  const auto unload = [owner = state](const ptx::Program &gone) {
    const std::lock_guard guard(owner->mutex);
    ptx::remove(gone, owner->memory);
  };
  return {
      std::make_unique<EmulatorKernel>(std::move(image), std::move(*program), std::move(profiled), unload)};
}

Result<void> EmulatorDevice::encodeMap(const TensorMap &map, const TensorMapNumbers &numbers,
                                       EncodedMap &encoded) {
  encoded = ptx::BulkArray(map, numbers).encoded();
  return {};
}

/// Returns how many blocks of the `grid` of a persistent kernel are launched under schedule number
/// `schedule`. Any number is right, but with a block for each program no block would take a second one: so
/// half as many at first, then a number that `seed` picks; all blocks of a cluster, or none.
static Grid walking(const KernelImage &image, Grid grid, uint32_t clusterBlocks, uint32_t schedule,
                    uint64_t seed) {
  const uint32_t clusters = grid.x / clusterBlocks;
  if (image.blocksPerMultiprocessor > 0)
    grid.x = clusterBlocks *
             (schedule == 0 ? (clusters + 1) / 2 : uint32_t(1 + ptx::Random(seed).below(clusters)));
  return grid;
}

Result<void> EmulatorDevice::launchChecked(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                                           Stream *, LaunchAttributes attributes) {
  auto *loaded = dynamic_cast<EmulatorKernel *>(&kernel);
  if (!loaded)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("`{}` was loaded on another device", nameOf(kernel.image()))};
  if (const uint32_t required = loaded->entry->requiredCluster;
      required && required != attributes.clusterBlocks)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("cannot launch `{}`: the entry requires clusters of {} blocks, found {}",
                             nameOf(kernel.image()), required, attributes.clusterBlocks)};
  if (state->fabric)
    return queueOnFabric(kernel, grid, params, attributes.clusterBlocks);
  const std::lock_guard lock(state->mutex);
  return runUnderSchedules(state->memory, std::max(1u, state->options.schedules), state->options.seed,
                           [&](uint32_t schedule, uint64_t seed) {
                             return state->runOnce(
                                 *loaded->program, *loaded->entry, loaded->image(), loaded->profiled,
                                 walking(loaded->image(), grid, attributes.clusterBlocks, schedule, seed),
                                 attributes.clusterBlocks, params, seed, schedule == 0);
                           });
}

void EmulatorDevice::State::prepare(ptx::LaunchContext &launch, const ptx::Program &program,
                                    const ptx::Function &entry, const KernelImage &image, Grid grid,
                                    uint32_t clusterBlocks, std::span<const std::byte> params,
                                    uint64_t seed) {
  launch.program = &program;
  launch.entry = &entry;
  launch.kernel = nameOf(image);
  launch.sourceFile = image.sourceFile;
  launch.text = image.ptx;
  launch.parameters = image.params;
  launch.grid = grid;
  launch.clusterBlocks = clusterBlocks;
  launch.threads = image.numWarps * ptx::lanes;
  launch.programsPerBlock = image.programsPerBlock;
  launch.dynamicShared = image.sharedBytes;
  launch.multiprocessors = std::max(1u, options.multiprocessors);
  launch.params = params;
  launch.memory = &memory;
  launch.checks = {options.checkUninitialised, options.checkRaces, options.checkGlobalRaces,
                   options.checkLoadsBetweenBlocks};
  launch.seed = seed;
  launch.instructionLimit = launch.instructionsLeft = options.instructionLimit;
  launch.counters.resize(program.module.places.size());
  if (progress)
    launch.progress = [each = image.programsPerBlock, clusterBlocks,
                       told =
                           Progress(progress, launch.blockCount() / clusterBlocks * image.programsPerBlock)](
                          uint64_t blocksDone) mutable { told(blocksDone / clusterBlocks * each); };
}

Result<void> EmulatorDevice::queueOnFabric(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                                           uint32_t clusterBlocks) {
  if (clusterBlocks > 1)
    return Error{
        ErrorKind::Unavailable, // a launch that may do without them does
        fmt::format("cannot launch `{}`: clusters of blocks do not run on a fabric", nameOf(kernel.image()))};
  const auto &loaded = static_cast<EmulatorKernel &>(kernel);
  const auto image = std::make_shared<const KernelImage>(loaded.image());
  FabricLaunch queued;
  queued.prepare = [owner = state.get(), program = loaded.program, entry = loaded.entry, image, grid,
                    bytes = std::vector<std::byte>(params.begin(), params.end())](ptx::LaunchContext &launch,
                                                                                  uint64_t seed) {
    owner->prepare(launch, *program, *entry, *image, grid, 1, bytes, seed);
  };
  queued.count = [owner = state.get(), image](const ptx::LaunchContext &launch) {
    owner->count(launch, *image);
    owner->printed += *launch.printed;
  };
  state->fabric->add(state->rank, std::move(queued));
  return {};
}

Result<void> EmulatorDevice::State::runOnce(const ptx::Program &program, const ptx::Function &entry,
                                            const KernelImage &image,
                                            const std::shared_ptr<Profiled> &profiled, Grid grid,
                                            uint32_t clusterBlocks, std::span<const std::byte> params,
                                            uint64_t seed, bool reports) {
  ptx::LaunchContext launch;
  std::string unused;
  prepare(launch, program, entry, image, grid, clusterBlocks, params, seed);
  launch.printed = reports ? &printed : &unused;
  launch.observer = options.observer;
  if (profiled) {
    launch.recorder = &profiled->recorder;
    profiled->recorder.isRecording = reports;
    lastProfiled = profiled;
  }
  ptx::runLaunch(launch);
  if (reports)
    count(launch, image);
  for (size_t i = 0; profiled && reports && i < launch.counters.size(); ++i)
    profiled->counters[i] += launch.counters[i];
  if (launch.interruption.wasRequested() || launch.isGivenUp)
    return interrupted(image);
  if (!launch.fault.empty())
    return Error{ErrorKind::Fault, std::move(launch.fault), {}, nullptr, std::move(launch.faultPlace)};
  return {};
}

void EmulatorDevice::State::count(const ptx::LaunchContext &launch, const KernelImage &image) {
  const ptx::Program &program = *launch.program;
  ++launches;
  blocks += launch.blocksDone;
  for (size_t i = 0; i < launch.counters.size(); ++i) {
    if (launch.counters[i] == Counters{})
      continue;
    const ptx::Place &place = program.module.places[i];
    rows[{ptx::fileOf(program.module, place, image.sourceFile), place.line}] += launch.counters[i];
  }
}

EmulatorReport EmulatorDevice::report() const {
  const std::lock_guard lock(state->mutex);
  EmulatorReport out;
  out.launches = state->launches;
  out.blocks = state->blocks;
  out.isInOrder = state->options.seed == 0 && state->options.schedules <= 1;
  for (const auto &[place, counters] : state->rows) {
    out.rows.push_back({place.first, place.second, counters});
    out.total += counters;
  }
  return out;
}

void EmulatorDevice::resetReport() {
  const std::lock_guard lock(state->mutex);
  state->rows.clear();
  state->launches = state->blocks = 0;
  if (state->lastProfiled) {
    state->lastProfiled->recorder.reset();
    std::ranges::fill(state->lastProfiled->counters, Counters());
  }
}

KernelProfile EmulatorDevice::profile() const {
  const std::lock_guard lock(state->mutex);
  if (!state->lastProfiled)
    return {};
  KernelProfile made = state->lastProfiled->recorder.profile(state->lastProfiled->counters);
  made.kernel = state->lastProfiled->kernel;
  made.ptx = state->lastProfiled->text;
  return made;
}

void EmulatorDevice::setProgress(ProgressCallback callback) {
  const std::lock_guard lock(state->mutex);
  state->progress = std::move(callback);
}

std::string EmulatorDevice::takePrintedText() {
  const std::lock_guard lock(state->mutex);
  return std::exchange(state->printed, {});
}

Counters &Counters::operator+=(const Counters &other) {
  warpInstructions += other.warpInstructions;
  threadInstructions += other.threadInstructions;
  loadRequests += other.loadRequests;
  loadSectors += other.loadSectors;
  loadSectorsIdeal += other.loadSectorsIdeal;
  loadBytes += other.loadBytes;
  storeRequests += other.storeRequests;
  storeSectors += other.storeSectors;
  storeSectorsIdeal += other.storeSectorsIdeal;
  storeBytes += other.storeBytes;
  sharedRequests += other.sharedRequests;
  sharedBytes += other.sharedBytes;
  bankConflicts += other.bankConflicts;
  return *this;
}

EmulatorOptions optionsFor(uint32_t schedules) {
  EmulatorOptions options;
  if (schedules) {
    options.seed = 1; // 0 is the natural order
    options.schedules = schedules;
    options.checkLoadsBetweenBlocks = environment("TEGULA_UNORDERED_LOADS") != "1";
  }
  return options;
}

} // namespace tegula::runtime
