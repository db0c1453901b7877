#include "tools/tegula/debug/LaunchInput.h"

#include "tools/tegula/arguments/FabricArguments.h"
#include "tools/tegula/arguments/GridText.h"
#include "tools/tegula/arguments/ImageArguments.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"

namespace tegula::cli {

runtime::Result<void> LaunchInput::read(const DebugCommand &command, bool takesCompiled) {
  if (command.grid.empty())
    return usageError("expected a grid: --grid=X[,Y[,Z]]");
  seed = TRY(parseSeed(command.seed));
  input = TRY(readInput(command));
  if (input.stage && !takesCompiled)
    return usageError(
        "the tile level needs a file of kernels, whose lines it shows: --device=emulator debugs what is "
        "compiled already");
  if (input.stage) {
    TRY(checkOptions(command, input));
    image = TRY(imageOf(input));
    imageInfo = describeImage(*image);
    choice.kernel = &imageInfo;
  } else {
    choice = TRY(chooseKernel(command, TRY(parseKernels(command, input))));
  }
  arguments = TRY(readArguments(command.arguments, choice));
  TRY(checkForOneRank(arguments));
  bindPassed(arguments, choice.options);
  TRY(bindHeuristics(arguments, choice));
  grid = TRY(gridOf(command.grid, choice, arguments));
  return {};
}

std::vector<debug::Array> LaunchInput::arraysOf(const DeviceArguments &on) const {
  std::vector<debug::Array> arrays;
  for (const auto &[name, array] : on.arrays()) {
    // The kernel may have been given the address of a later element.
    const uint64_t before = std::get<ArrayArgument>(arguments.at(name).value).offset;
    arrays.push_back(
        {name, array->argument().bits - before * scalarKindBytes(array->type), array->type, array->shape});
  }
  return arrays;
}

} // namespace tegula::cli
