// The arguments of `tegula run --world=N`: what each rank's launch gets, and what all of them share.
#pragma once

#include "runtime/emulator/Fabric.h"
#include "tools/tegula/arguments/RunArguments.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tegula::cli {

/// A fabric for `world` ranks on `device`, as `--device` names it: the emulator, under several schedules with
/// `emulator:N`. Errors: InvalidArgument.
runtime::Result<std::shared_ptr<runtime::Fabric>> openFabric(const std::string &world,
                                                             const std::string &device);

/// Refuses arguments that only several ranks have. Errors: InvalidArgument.
runtime::Result<void> checkForOneRank(const std::map<std::string, ParsedArgument> &arguments);

class FabricArguments {
public:
  /// Makes what ranks share. `arguments` must outlive this. Errors: as of `DeviceArray::create`.
  static runtime::Result<std::unique_ptr<FabricArguments>>
  create(std::shared_ptr<runtime::Fabric> fabric, const std::map<std::string, ParsedArgument> &arguments,
         uint64_t seed);

  /// The arguments of `rank`: in the place of what is shared a table of addresses, and numbers for `rank` and
  /// `world`.
  const std::map<std::string, ParsedArgument> &ofRank(uint32_t rank) const { return byRank[rank]; }

  /// Type and sides of a shared array; null where `name` is none.
  const ArrayArgument *shared(const std::string &name) const;
  /// The bytes of rank `rank`'s part of it.
  runtime::Result<std::vector<std::byte>> download(const std::string &name, uint32_t rank) const;

private:
  struct Shared {
    ArrayArgument array;
    runtime::SymmetricArray memory;
    size_t bytes = 0;
  };
  runtime::Result<void> share(const std::string &name, ArrayArgument array, uint64_t seed);
  runtime::Result<ParsedArgument> resolve(const ParsedArgument &argument, uint32_t rank) const;

  std::shared_ptr<runtime::Fabric> fabric;
  runtime::SymmetricArray pads;
  std::map<std::string, Shared> arrays;
  std::vector<std::map<std::string, ParsedArgument>> byRank;
};

} // namespace tegula::cli
