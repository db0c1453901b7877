// A launch as the words of `tegula debug` say it, before there is a device.
#pragma once

#include "compiler/debug/Arrays.h"
#include "dialect/image/KernelImage.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/RunArguments.h"
#include "tools/tegula/command/Commands.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tegula::cli {

struct LaunchInput {
  LaunchInput() = default;
  LaunchInput(const LaunchInput &) = delete; // `choice` refers to `imageInfo`

  /// Reads the file and the arguments. Errors: those of `tegula run` before its launch; InvalidArgument for a
  /// file that is compiled already, unless `takesCompiled`.
  runtime::Result<void> read(const DebugCommand &command, bool takesCompiled);
  /// The arrays as `on`, the arguments on a device, has them.
  std::vector<debug::Array> arraysOf(const DeviceArguments &on) const;

  Input input;
  KernelChoice choice;
  std::optional<KernelImage> image; ///< of a file that is compiled already
  KernelInfo imageInfo;             ///< the kernel of `image`, which `choice` names then
  std::map<std::string, ParsedArgument> arguments;
  runtime::Grid grid;
  uint64_t seed = 0;
};

} // namespace tegula::cli
