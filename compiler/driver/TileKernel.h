// A kernel as the front end made it, for the reference interpreter: no layouts, no PTX, no device.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/interp/values/Memory.h"
#include "compiler/spec/KernelSpec.h"
#include "dialect/image/KernelImage.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

class ParsedSource;

namespace debug {
class Session;
struct Array;
} // namespace debug

/// Runs on this machine's CPU, program after program, and checks what no device checks: undefined values that
/// are used, assumptions and hints that do not hold.
class TileKernel {
public:
  struct Made {
    std::shared_ptr<TileKernel> kernel;  ///< null exactly when a diagnostic is an error
    std::vector<Diagnostic> diagnostics; ///< errors, warnings and static prints
  };
  /// Keeps nothing of `source` but its texts.
  /// With `names` the kernel knows the names of its values, as debuggers ask for them.
  static Made create(const ParsedSource &source, const KernelSpec &spec, bool names = false);
  ~TileKernel();

  /// The run-time parameters: what `launch` expects, in order. Offsets are those of a parameter block.
  const std::vector<KernelParam> &params() const;
  const std::string &name() const;

  struct Options {
    uint64_t stepLimit = 0;                      ///< 0: the interpreter's own; see `interp::Options`
    bool checkUndefinedStores = true;            ///< writing an undefined value is a fault
    std::function<void(std::string_view)> print; ///< takes the lines that programs print
    std::function<void(uint64_t)> progress;      ///< told how many programs are done; may be empty
    std::function<bool()> isInterrupted;         ///< asked whether to give up, which is a fault; may be empty
  };
  /// Runs the grid's programs, x fastest, on `memory`. `arguments` are the bits of each of `params()`. Gives
  /// the fault that ended the run, with kernel, place, program and element, where there was one.
  std::optional<std::string> launch(std::array<uint32_t, 3> grid, std::span<const uint64_t> arguments,
                                    interp::Memory &memory, const Options &options);

  /// A launch as `launch` would run it, to be stopped and looked at. `arrays` are those that it is given. The
  /// kernel, made with names, and `memory` must outlive it.
  std::unique_ptr<debug::Session> debug(std::array<uint32_t, 3> grid, std::span<const uint64_t> arguments,
                                        interp::Memory &memory, std::vector<debug::Array> arrays,
                                        std::function<void(std::string_view)> print);

private:
  struct Impl;
  explicit TileKernel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tegula
