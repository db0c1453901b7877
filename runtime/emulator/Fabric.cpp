#include "runtime/emulator/Fabric.h"

#include "runtime/emulator/FabricQueue.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace tegula::runtime {

Fabric::Fabric(Fabric &&) = default;

Fabric::~Fabric() {
  if (queue)
    queue->drop();
}

Result<Fabric> Fabric::create(FabricOptions options) {
  if (options.world < 1 || options.world > maxWorld)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected a fabric of 1 to {} devices, found {}", maxWorld, options.world)};
  Fabric made;
  made.queue = std::make_shared<FabricQueue>(options.world, options.device.memory, options.device.seed,
                                             std::max(1u, options.device.schedules), options.residentBlocks);
  for (uint32_t rank = 0; rank < options.world; ++rank)
    made.devices.emplace_back(new EmulatorDevice(options.device, made.queue, rank));
  return made;
}

Result<void> Fabric::synchronize() { return queue->settle(); }

Result<void> Fabric::share(uint32_t rank, uint32_t number, void *address, size_t bytes, bool isPad) {
  HostRange range = TRY(hostRange(address, bytes));
  const std::lock_guard lock(queue->mutex);
  return queue->memory.share(rank, number, range, isPad);
}

Result<void> Fabric::run(uint64_t seed, bool checksPads, std::function<Result<void>(uint32_t rank)> host,
                         uint32_t *culprit) {
  return queue->run(seed, checksPads, std::move(host), culprit);
}

Result<void> Fabric::meet(bool orders) { return queue->meet(orders); }

Result<SymmetricArray> Fabric::symmetric(size_t bytes) { return allocate(bytes, false); }

Result<SymmetricArray> Fabric::signalPads() {
  SymmetricArray pads = TRY(allocate(padWords * sizeof(uint32_t), true));
  const std::vector<uint32_t> zeros(padWords);
  for (uint32_t rank = 0; rank < world(); ++rank)
    TRY(device(rank).copyToDevice(pads.addresses[rank], zeros.data(), padWords * sizeof(uint32_t)));
  return pads;
}

Result<SymmetricArray> Fabric::allocate(size_t bytes, bool isPad) {
  SymmetricArray array;
  const uint32_t number = arrays++;
  for (uint32_t rank = 0; rank < world(); ++rank) {
    array.addresses.push_back(TRY(device(rank).allocate(bytes)));
    const std::lock_guard lock(queue->mutex);
    FabricMemory::share(*queue->memory.memory.find(array.addresses.back()), rank, number, isPad);
  }
  const size_t tableBytes = array.addresses.size() * sizeof(DeviceAddress);
  for (uint32_t rank = 0; rank < world(); ++rank) {
    array.addressTables.push_back(TRY(device(rank).allocate(tableBytes)));
    TRY(device(rank).copyToDevice(array.addressTables.back(), array.addresses.data(), tableBytes));
  }
  return array;
}

} // namespace tegula::runtime
