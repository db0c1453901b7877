// Fabrics: devices of the emulator that share memory, and the hosts of their ranks.
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/RuntimeHandles.h"

#include "runtime/emulator/Fabric.h"
#include "runtime/jit/program/CompileDefaults.h"

#include <fmt/format.h>

using namespace tegula;
using namespace tegula::c;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Fabric;
using runtime::Result;

struct tegula_fabric {
  std::shared_ptr<Fabric> fabric;
};

static Result<void> checkRank(const Fabric &fabric, uint32_t rank) {
  if (rank < fabric.world())
    return {};
  return Error{ErrorKind::InvalidArgument,
               fmt::format("expected a rank below {}, found {}", fabric.world(), rank)};
}

tegula_error *tegula_fabric_create(const tegula_fabric_options *options, tegula_fabric **fabric) {
  return guarded({{options, "options"}, {fabric, "fabric"}}, [&]() -> Result<void> {
    const tegula_fabric_options given = read(*options);
    runtime::FabricOptions wanted;
    wanted.world = given.world;
    wanted.residentBlocks = given.resident_blocks;
    auto made = TRY(Fabric::create(wanted));
    *fabric = new tegula_fabric{std::make_shared<Fabric>(std::move(made))};
    return {};
  });
}

void tegula_fabric_close(tegula_fabric *fabric) { delete fabric; }

tegula_error *tegula_fabric_get_device(tegula_fabric *fabric, uint32_t rank, tegula_device **device) {
  return guarded({{fabric, "fabric"}, {device, "device"}}, [&]() -> Result<void> {
    TRY(checkRank(*fabric->fabric, rank));
    std::shared_ptr<runtime::Device> own(fabric->fabric, &fabric->fabric->device(rank));
    std::string arch = jit::targetFor(*own);
    *device = new tegula_device{std::move(own), std::move(arch)};
    return {};
  });
}

tegula_error *tegula_fabric_run(tegula_fabric *fabric, uint64_t seed, bool check_pads,
                                bool (*host)(void *context, uint32_t rank), void *context,
                                uint32_t *culprit) {
  return guarded({{fabric, "fabric"}, {host, "host"}}, [&]() -> Result<void> {
    uint32_t rankAtFault = 0;
    Result<void> done = fabric->fabric->run(
        seed, check_pads,
        [&](uint32_t rank) -> Result<void> {
          if (host(context, rank))
            return {};
          return Error{ErrorKind::InvalidArgument, fmt::format("the host of rank {} has failed", rank)};
        },
        &rankAtFault);
    if (!done && culprit)
      *culprit = rankAtFault;
    return done;
  });
}

tegula_error *tegula_fabric_share(tegula_fabric *fabric, uint32_t rank, uint32_t number, void *memory,
                                  size_t bytes, bool is_pad) {
  return guarded({{fabric, "fabric"}, {memory, "memory"}}, [&]() -> Result<void> {
    TRY(checkRank(*fabric->fabric, rank));
    return fabric->fabric->share(rank, number, memory, bytes, is_pad);
  });
}

tegula_error *tegula_fabric_meet(tegula_fabric *fabric, bool orders) {
  return guarded({{fabric, "fabric"}}, [&] { return fabric->fabric->meet(orders); });
}
