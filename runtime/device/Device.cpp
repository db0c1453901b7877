#include "runtime/device/Device.h"

#include "dialect/tile/BlockPairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tegula::runtime {

// The anchors: each vtable is emitted here and nowhere else.
LoadedKernel::~LoadedKernel() = default;
Stream::~Stream() = default;
Event::~Event() = default;
Device::~Device() = default;

LoadedKernel::LoadedKernel(KernelImage image, const void *owner)
    : kernelImage(std::move(image)), loader(owner) {
  if (std::ranges::any_of(kernelImage.implicit,
                          [](const ImplicitArgument &param) { return param.kind == ImplicitKind::Map; }))
    maps = std::make_unique<TensorMapTable>();
}

Result<void> Device::encodeMap(const TensorMap &, const TensorMapNumbers &, EncodedMap &) {
  return Error{ErrorKind::MapRefused, fmt::format("`{}` has no tensor maps", properties().name)};
}

Result<MachineCode> Device::assemble(const KernelImage &image) {
  return Error{ErrorKind::Unavailable,
               fmt::format("{} runs the PTX of `{}` as it is", properties().name, nameOf(image))};
}

Result<void> ForeignStream::synchronize() {
  return Error{ErrorKind::InvalidArgument, "cannot wait for a stream that is the caller's"};
}

bool Device::isCapturing(Stream *) { return false; }

Result<void> Device::mapHost(void *, size_t, bool) {
  return Error{ErrorKind::InvalidArgument,
               fmt::format("kernels on `{}` cannot work on the host's memory: copy it", properties().name)};
}
Result<void> Device::unmapHost(void *memory, size_t bytes) {
  return mapHost(memory, bytes, /*isReadOnly=*/true);
}

static Error refused(const KernelImage &image, ErrorKind kind, const std::string &why) {
  return {kind, fmt::format("cannot launch `{}`: {}", nameOf(image), why)};
}

static Error exceeded(const KernelImage &image, const char *what, Resource resource) {
  Error error =
      refused(image, ErrorKind::OutOfResources,
              fmt::format("expected at most {} {}, found {}", resource.limit, what, resource.required));
  error.resource = resource;
  return error;
}

/// The device's limits are on blocks. Those on programs are the same, however many share a block: a program's
/// index is an i32 in the language.
static Result<void> checkGrid(const KernelImage &image, Grid grid, const DeviceProperties &limits) {
  const uint32_t sides[] = {grid.x, grid.y, grid.z};
  for (int axis = 0; axis < 3; ++axis) {
    const char *what = axis == 0 && image.programsPerBlock > 1 ? "program" : "block";
    if (sides[axis] == 0)
      return refused(image, ErrorKind::InvalidArgument,
                     fmt::format("expected at least 1 {} in {}, found 0", what, "xyz"[axis]));
    if (sides[axis] > limits.maxGrid[axis])
      return exceeded(image, fmt::format("{}s in {}", what, "xyz"[axis]).c_str(),
                      {"grid", sides[axis], limits.maxGrid[axis]});
  }
  return {};
}

static Result<void> checkBlock(const KernelImage &image, const DeviceProperties &limits) {
  if (image.numWarps == 0)
    return refused(image, ErrorKind::InvalidArgument, "expected at least 1 warp in a block, found 0");
  if (image.programsPerBlock != 1 && image.programsPerBlock != image.numWarps)
    return refused(image, ErrorKind::InvalidArgument,
                   fmt::format("expected 1 program in a block, or one for each of its {} warps, found {}",
                               image.numWarps, image.programsPerBlock));
  const uint64_t threads = uint64_t(image.numWarps) * limits.warpSize;
  if (threads > limits.maxThreadsPerBlock)
    return exceeded(image, "threads in a block", {"threads", threads, limits.maxThreadsPerBlock});
  if (image.sharedBytes > limits.maxSharedPerBlock)
    return exceeded(image, "bytes of shared memory in a block",
                    {"shared memory", image.sharedBytes, limits.maxSharedPerBlock});
  return {};
}

/// The blocks that run the programs of `grid`.
static Result<Grid> blocksFor(const KernelImage &image, Grid grid, const DeviceProperties &limits) {
  if (image.blocksPerMultiprocessor == 0)
    return Grid{uint32_t((uint64_t(grid.x) + image.programsPerBlock - 1) / image.programsPerBlock), grid.y,
                grid.z};
  const uint64_t plane = uint64_t(grid.y) * grid.z;
  if (plane > maxPersistentPrograms / grid.x)
    return refused(
        image, ErrorKind::MapRefused,
        fmt::format("expected at most {} programs, found {} times {}", maxPersistentPrograms, plane, grid.x));
  const uint64_t resident = uint64_t(std::max(1u, limits.multiprocessors)) * image.blocksPerMultiprocessor;
  return Grid{uint32_t(std::min({plane * grid.x, resident, uint64_t(limits.maxGrid[0])})), 1, 1};
}

/// Makes each of `blocks` a cluster of so many.
static Result<void> addClusters(const KernelImage &image, uint32_t size, const DeviceProperties &limits,
                                Grid &blocks) {
  if (size == 1)
    return {};
  const uint32_t most = std::max(image.clusterBlocks, image.splits ? image.splits->blocks : 1);
  if (size == 0 || size > most)
    return refused(image, ErrorKind::InvalidArgument,
                   fmt::format("expected clusters of 1 to {} blocks, found {}", most, size));
  const uint64_t along = uint64_t(blocks.x) * size;
  if (along > limits.maxGrid[0])
    return exceeded(image, "blocks in x", {"grid", along, limits.maxGrid[0]});
  blocks.x = uint32_t(along);
  return {};
}

Result<bool> Device::fillImplicit(LoadedKernel &kernel, Grid programs, uint32_t firstProgram,
                                  std::span<std::byte> block) {
  const KernelImage &image = kernel.image();
  const auto encode = [this](const TensorMap &map, const TensorMapNumbers &numbers, EncodedMap &encoded) {
    return encodeMap(map, numbers, encoded);
  };
  bool cutsLines = false;
  for (size_t i = 0; i < image.implicit.size(); ++i) {
    const ImplicitArgument &param = image.implicit[i];
    std::byte *place = block.subspan(param.offset, param.size).data();
    switch (param.kind) {
    case ImplicitKind::Programs:
      std::memcpy(place, std::array{&programs.x, &programs.y, &programs.z}[param.axis], sizeof(uint32_t));
      break;
    case ImplicitKind::First:
      std::memcpy(place, &firstProgram, sizeof firstProgram);
      break;
    case ImplicitKind::Map:
      Result<bool> filled = kernel.maps->fill(image, i, block, encode, place);
      if (!filled)
        return refused(image, filled.error().kind, filled.error().text);
      cutsLines |= *filled;
      break;
    }
  }
  return cutsLines;
}

/// Returns how many blocks a launch of pairs has where one without has so many, of which `programs` keep
/// busy.
static uint32_t blocksOfPairs(uint32_t blocks, uint64_t programs) {
  const uint32_t over = blocks % tile::BlocksOfPair;
  // One more has no program of its own; where all places are taken one less keeps the others busy.
  return over == 0 ? blocks : programs == blocks ? blocks + 1 : blocks - 1;
}

bool mayDoWithoutClusters(ErrorKind refusal) {
  return refusal == ErrorKind::OutOfResources || refusal == ErrorKind::MapRefused ||
         refusal == ErrorKind::Unavailable;
}

Result<void> Device::launch(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                            Stream *stream, LaunchAttributes attributes) {
  const KernelImage &image = kernel.image();
  const DeviceProperties &limits = properties();
  TRY(checkBlock(image, limits));
  TRY(checkGrid(image, grid, limits));
  if (params.size() != image.paramBytes)
    return refused(image, ErrorKind::InvalidArgument,
                   fmt::format("expected {} bytes of parameters, found {}", image.paramBytes, params.size()));
  Grid blocks = TRY(blocksFor(image, grid, limits));
  if (image.clusterBlocks > 1)
    attributes.clusterBlocks = image.clusterBlocks;
  Result<void> launched = addClusters(image, attributes.clusterBlocks, limits, blocks);
  if (launched)
    launched = launchFilled(kernel, grid, blocks, params, stream, attributes);
  if (!launched && image.clusterBlocks > 1 && mayDoWithoutClusters(launched.error().kind))
    launched.error().kind = ErrorKind::MapRefused;
  return launched;
}

Result<void> Device::launchFilled(LoadedKernel &kernel, Grid grid, Grid blocks,
                                  std::span<const std::byte> params, Stream *stream,
                                  LaunchAttributes attributes) {
  const KernelImage &image = kernel.image();
  if (image.implicit.empty())
    return launchChecked(kernel, blocks, params, stream, attributes);
  const uint64_t bytes = entryParamBytes(image);
  if (bytes > maxParamBytes)
    return exceeded(image, "bytes of parameters", {"parameters", bytes, maxParamBytes});
  // Every device copies the parameters before it returns.
  alignas(tensorMapAlignment) std::array<std::byte, maxParamBytes> memory; // uninitialised: a launch is quick
  const std::span<std::byte> all(memory.data(), bytes);
  std::copy(params.begin(), params.end(), all.begin());
  std::memset(all.data() + params.size(), 0, bytes - params.size());
  const bool cutsLines = TRY(fillImplicit(kernel, grid, attributes.firstProgram, all));
  // Where each row of a box is one request to L2, half as many gain nothing: an H100 was 0.98 to 1.01 as
  // fast.
  if (image.hasPairs && cutsLines && blocks.x > 1 && attributes.clusterBlocks == 1 &&
      !attributes.cooperative) {
    LaunchAttributes inPairs = attributes;
    inPairs.clusterBlocks = tile::BlocksOfPair;
    const Grid pairs{blocksOfPairs(blocks.x, uint64_t(grid.x) * grid.y * grid.z), 1, 1};
    const Result<void> launched = launchChecked(kernel, pairs, all, stream, inPairs);
    if (launched || !mayDoWithoutClusters(launched.error().kind))
      return launched;
  }
  return launchChecked(kernel, blocks, all, stream, attributes);
}

} // namespace tegula::runtime
