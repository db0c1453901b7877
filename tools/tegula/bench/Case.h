// One thing that `tegula bench` measures: a bundled kernel on arguments of a shape and type, and the ways to
// launch it.
#pragma once

#include "runtime/jit/tune/Tuner.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tegula::cli::bench {

/// "4096x1024": the sides of a problem, in the order that the kernel's entry of the catalogue says.
using Shape = std::vector<int64_t>;

/// An array argument.
struct Tensor {
  enum Fill : uint8_t {
    Random, ///< normal numbers; of integers all that the type holds, or from 0 to `below`
    Output, ///< what the kernel writes
    Sums,   ///< what the kernel adds to: zeros
  };
  ScalarKind type = ScalarKind::Float32;
  Shape shape = {};
  Fill fill = Random;
  int64_t below = 0; ///< the bound of integers; 0: the type's
};

struct Argument {
  std::string name;
  std::variant<Tensor, HostValue> value;
};

/// What the work of a case is counted in.
enum class Unit : uint8_t {
  GigabytesPerSecond, ///< bytes that have to be moved
  Teraflops,          ///< operations of dots
};
/// "GB/s" or "TFLOPS".
const char *unitName(Unit unit);

struct Case {
  std::string name;  ///< of the catalogue
  std::string file;  ///< of the kernels' folder, without ".py"
  std::string entry; ///< the kernel
  std::string dtype;
  Shape shape;
  std::vector<Argument> arguments; ///< in the kernel's order, without compile-time values
  std::string output;              ///< the argument that results are compared by
  double work = 0;                 ///< bytes or operations of a launch
  Unit unit = Unit::GigabytesPerSecond;
  std::vector<jit::TuneConfig> configs;

  // What peers compute, in Python: expressions over the arguments by their names, `torch`, and the kernel's
  // file as `host`; empty where there is none.

  std::string expected;              ///< what the output has to be near
  std::string torch;                 ///< the same computed by PyTorch, to be timed
  std::string library;               ///< "product" or "attention": what cuBLAS or cuDNN is asked for
  double relative = 0, absolute = 0; ///< how near

  /// "matmul bf16 4096x4096x4096"
  std::string label() const;
  /// The work in `milliseconds` in the case's unit.
  double rate(double milliseconds) const;
};

/// "4096x1024"
std::string shapeText(const Shape &shape);

/// "BLOCK_M=128 num_warps=4 num_stages=3, grid 64"
std::string configText(const jit::TuneConfig &config);

} // namespace tegula::cli::bench
