// Random kernels of the language, as source text with arguments: for comparing two ways to run one.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tegula::random {

/// A statement of the kernel's body: a line, with lines of its own where it ends in a colon.
struct Node {
  std::string text;
  std::vector<Node> body;
  /// A line that gives the same name a value of the same type more simply; may be empty.
  std::string simpler;
};

/// An argument: an array, whose pointer is `skip` elements past its start, or a number.
struct Argument {
  std::string name;
  RuntimeArg type;
  bool isOutput = false;          ///< compared after the run
  double ulps = 0;                ///< of an output of floats: how far apart two runs may be, in 2^-23
  double error = 0;               ///< and how far besides, whatever the value
  std::vector<uint64_t> elements; ///< bits of each element; of a number, one
  uint32_t skip = 0;
  std::string
      aliasOf; ///< the array that this is, too, where it has no elements of its own; one that comes before
};

/// The kind of a kernel: which features of the language it exercises.
enum class Kind {
  General,
  Rare,       ///< as the general ones, with much of what few kernels use
  Dots,       ///< products of matrices of small numbers, exact whatever their order
  Tiles,      ///< such products as warps of their own load for: large tiles, strides that copies take
  Arrays,     ///< elements of arrays of several dimensions, as TorchInductor indexes them
  NormalDots, ///< products of normally distributed numbers, which agree as far as their types let them
};

/// The groups of features that kernels may use.
struct Features {
  bool loops = true, branches = true, reductions = true, atomics = true, barriers = true, fp8 = true;
  bool scans = true; ///< and what else moves elements along an axis
  bool views = true; ///< block pointers and tensor descriptors
  bool maps = true;  ///< functions of scalars for each element, and values of classes
  Kind kind = Kind::General;
};

struct RandomKernel {
  uint64_t seed = 0;
  Kind kind = Kind::General;
  std::vector<Node> body;
  std::vector<Argument> arguments;
  std::array<uint32_t, 3> grid{1, 1, 1};
  uint32_t numWarps = 4, numStages = 3;
  uint32_t numCtas = 1; ///< blocks of a cluster that share rows, where there are some
};

/// Equal seeds and features give equal kernels. Whatever a kernel computes is exact but for `NormalDots`:
/// integers wrap, and floats stay multiples of a power of two that fit their format, so that neither the
/// order of a sum nor a fused multiply-add shows. No element that is undefined reaches an output.
RandomKernel randomKernel(uint64_t seed, const Features &features);

/// The kernel as a file, its name being `kernel`.
std::string sourceOf(const RandomKernel &kernel);

} // namespace tegula::random
