#include "tools/tegula/arguments/FabricArguments.h"

#include "runtime/device/OpenDevice.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Fabric;
using runtime::Result;

Result<std::shared_ptr<Fabric>> openFabric(const std::string &world, const std::string &device) {
  runtime::FabricOptions options;
  options.world = TRY(parseCount(world, "--world"));
  const std::string kind = device.empty() || device == "auto" ? "emulator" : device;
  if (!kind.starts_with("emulator"))
    return usageError(fmt::format("--world runs its ranks on the emulator, found the device `{}`", kind));
  const auto opened = runtime::openDevice(kind, {.emulator =
                                                     [&](uint32_t schedules) {
                                                       options.device = runtime::optionsFor(schedules);
                                                       return Result<std::shared_ptr<runtime::Device>>(
                                                           std::shared_ptr<runtime::Device>());
                                                     },
                                                 .interpreter = {}});
  if (!opened)
    return usageError(opened.error().text);
  Result<Fabric> made = Fabric::create(options);
  if (!made)
    return usageError("--world: " + made.error().text);
  return std::make_shared<Fabric>(std::move(*made));
}

Result<void> checkForOneRank(const std::map<std::string, ParsedArgument> &arguments) {
  for (const auto &[name, argument] : arguments) {
    const auto *array = std::get_if<ArrayArgument>(&argument.value);
    if ((array && array->isShared) || std::holds_alternative<RankArgument>(argument.value))
      return usageError(
          fmt::format("argument `{}` is one of several ranks: say how many with --world=N", name));
  }
  return {};
}

Result<std::unique_ptr<FabricArguments>>
FabricArguments::create(std::shared_ptr<Fabric> fabric,
                        const std::map<std::string, ParsedArgument> &arguments, uint64_t seed) {
  auto made = std::make_unique<FabricArguments>();
  made->fabric = std::move(fabric);
  made->pads = TRY(made->fabric->signalPads());
  for (const auto &[name, argument] : arguments)
    if (const auto *array = std::get_if<ArrayArgument>(&argument.value); array && array->isShared)
      TRY(made->share(name, *array, seed));
  made->byRank.resize(made->fabric->world());
  for (uint32_t rank = 0; rank < made->byRank.size(); ++rank)
    for (const auto &[name, argument] : arguments) {
      ParsedArgument resolved = TRY(made->resolve(argument, rank));
      made->byRank[rank].emplace(name, std::move(resolved));
    }
  return made;
}

Result<void> FabricArguments::share(const std::string &name, ArrayArgument array, uint64_t seed) {
  Shared made;
  for (uint32_t rank = 0; rank < fabric->world(); ++rank) {
    made.array = array;
    const std::vector<std::byte> data =
        TRY(contentsOf(made.array, fmt::format("{} of rank {}", name, rank), seed));
    if (rank == 0) {
      made.bytes = data.size();
      made.memory = TRY(fabric->symmetric(made.bytes));
    }
    if (array.source != ArrayArgument::Empty && made.bytes)
      TRY(fabric->device(rank).copyToDevice(made.memory.addresses[rank], data.data(), made.bytes));
  }
  arrays.emplace(name, std::move(made));
  return {};
}

Result<ParsedArgument> FabricArguments::resolve(const ParsedArgument &argument, uint32_t rank) const {
  ParsedArgument resolved = argument;
  if (const auto found = arrays.find(argument.name); found != arrays.end()) {
    if (argument.blocks)
      return usageError(fmt::format(
          "argument `{}`: what ranks share is passed as a table of addresses, not as a descriptor",
          argument.name));
    resolved.value = HostValue::pointer(found->second.memory.addressTables[rank], ScalarKind::Int64);
  } else if (const auto *word = std::get_if<RankArgument>(&argument.value)) {
    resolved.value = *word == RankArgument::Pads
                         ? HostValue::pointer(pads.addressTables[rank], ScalarKind::Int64)
                     : *word == RankArgument::Rank ? HostValue::integer(rank)
                                                   : HostValue::integer(fabric->world());
  } else if (const auto *tuple = std::get_if<TupleArgument>(&argument.value)) {
    TupleArgument items = *tuple;
    for (ParsedArgument &item : items.items) {
      ParsedArgument made = TRY(resolve(item, rank));
      item = std::move(made);
    }
    resolved.value = std::move(items);
  }
  return resolved;
}

const ArrayArgument *FabricArguments::shared(const std::string &name) const {
  const auto found = arrays.find(name);
  return found == arrays.end() ? nullptr : &found->second.array;
}

Result<std::vector<std::byte>> FabricArguments::download(const std::string &name, uint32_t rank) const {
  const Shared &array = arrays.at(name);
  std::vector<std::byte> data(array.bytes);
  if (array.bytes)
    TRY(fabric->device(rank).copyToHost(data.data(), array.memory.addresses[rank], array.bytes));
  return data;
}

} // namespace tegula::cli
