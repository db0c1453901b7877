// Random straight-line tile programs together with the value of everything they compute.
#pragma once

#include "compiler/analysis/integers/IntegerRanges.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <random>
#include <vector>

namespace tegula::testing {

/// Holds a value of the program as one run computed it: its elements in row-major order, each in the low
/// `width` bits, and the smallest width of any value that it was computed from.
struct Known {
  mlir::Value value;
  std::vector<int64_t> shape; ///< of a scalar: one axis of length 1
  std::vector<uint64_t> elements;
  unsigned width = 32;
  unsigned originWidth = 32;
  bool isPointer = false;

  bool isTensor() const;
  int64_t signedElement(size_t index) const;
};

struct RandomProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Known> values; ///< every value, arguments included
};

/// A program of about `steps` ops over integers and pointers. Ops whose result would be undefined for the
/// values at hand are not generated, nor those that break what an analysis with `trust` takes for granted.
RandomProgram randomProgram(mlir::MLIRContext &context, std::mt19937_64 &random, unsigned steps,
                            Trust trust = Trust::Nothing);

} // namespace tegula::testing
