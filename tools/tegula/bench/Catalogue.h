// The bundled kernels as `tegula bench` measures them: their shapes, and how a shape becomes a case.
#pragma once

#include "runtime/jit/launch/Jit.h"
#include "tools/tegula/bench/Case.h"

#include <functional>
#include <map>
#include <optional>
#include <span>

namespace tegula::cli::bench {

/// What a case is made for.
struct Setting {
  uint32_t multiprocessors = 1;
  bool isSmall = false; ///< for the emulator: little work, and one config
  bool isSweep = false; ///< not the kernel's own configs but all that may fit
  /// Values that a sweep tries, by the name of a compile-time value, "num_warps" or "num_stages"; those of
  /// the catalogue where a name is missing.
  std::map<std::string, std::vector<int64_t>> swept;
  /// The configs that the file of a kernel gives it.
  std::function<runtime::Result<std::vector<KernelConfig>>(const std::string &file,
                                                           const std::string &kernel)>
      configsOf;
};

/// A shape that is measured unless others are asked for.
struct DefaultShape {
  Shape sides;
  std::string dtype = {}; ///< of this type alone; empty for all
};

struct Entry {
  std::string name, file, kernel;
  std::string sides;                         ///< what a shape says: "N", "ROWSxN", "MxNxK"
  std::vector<std::string> dtypes;           ///< measured unless others are asked for
  std::vector<std::string> otherDtypes = {}; ///< what else may be asked for
  std::vector<DefaultShape> shapes;
  Shape small; ///< the shape for the emulator
  /// The shape that `--n=N` means: elements, columns, the sides of a cube, or small
  /// matrices.
  Shape (*ofSize)(int64_t n, bool isSmall) = nullptr;
  Unit unit = Unit::GigabytesPerSecond;
  bool hasErrors = false; ///< its errors can be compared with PyTorch's
  /// Fills in all that depends on type and shape.
  std::function<runtime::Result<void>(Case &made, ScalarKind type, const Setting &setting)> fill;

  size_t rank() const;
  bool canSweep() const { return unit == Unit::Teraflops; }
};

/// All of them, in the order of tables.
std::span<const Entry> catalogue();
/// Those of each kind, of which the catalogue is made.
std::vector<Entry> memoryKernels();
std::vector<Entry> productKernels();

/// The case of a shape. Errors: InvalidArgument for a shape that the kernel cannot take; those of reading
/// configs.
runtime::Result<Case> makeCase(const Entry &entry, const std::string &dtype, Shape shape,
                               const Setting &setting);

/// An argument that is a whole number.
Argument number(std::string name, int64_t value);
/// How many blocks of `block` cover `n`.
uint32_t blocks(int64_t n, int64_t block);

/// A config of these compile-time values.
jit::TuneConfig makeConfig(std::map<std::string, int64_t> values, uint32_t warps, runtime::Grid grid,
                           uint32_t stages = 3);

} // namespace tegula::cli::bench
