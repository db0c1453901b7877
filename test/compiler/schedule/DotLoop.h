// Loops around dots as distribute leaves them, in text: small ones of many forms.
#pragma once

#include <cstdint>
#include <string>

namespace tegula {

/// The form of one loop. Elements are i8 and sums i32, so that every order of adding up gives the same bits.
struct DotLoop {
  int32_t m = 32, n = 32, k = 32;
  int32_t warpsM = 1, warpsN = 1;
  unsigned stages = 3;
  bool transposedB = false; ///< b is loaded as N by K
  bool carriedA = true;     ///< pointers of a are carried, else computed from the induction variable
  bool maskedA = false;     ///< rows of a behind the end, as iterations go on, read as zero
  bool narrowB = false;     ///< threads hold single elements of b side by side: no copy fits
  bool hasBias = false;     ///< an elementwise load of M by N sums each iteration
  bool isChained = false;   ///< the sums of the first dot, narrowed, times a third matrix of N by N
  bool isNested = false;    ///< in a loop of two iterations
  bool isTwice = false;     ///< the same loop again behind it, which goes on with the sums
  bool invariantA = false;  ///< a is loaded and converted before the loop
  bool sharesLoad = false;  ///< a second dot takes the same b
  bool byGroups = false;    ///< `wgmma`, by warps that `warpsM` and `warpsN` count in groups of four
  bool byThreads = false;   ///< each thread multiplies by itself
  bool withoutTma = false; ///< copies are of threads alone
  bool specializes = false; ///< the author asks for a producer
  /// Along x and y. Each has its own part of `out`, and of b: from the matrix of its number on.
  unsigned programsX = 1, programsY = 1;

  unsigned programs() const { return programsX * programsY; }
};

/// `func.func @f(a, b, bias, v, out: pointers; trips: i32)` in a module for sm_90a.
std::string textOf(const DotLoop &loop);

/// Elements of each array that `trips` iterations read or write, in the order of the arguments.
struct DotLoopSizes {
  size_t a, b, bias, v, out;
};
DotLoopSizes sizesOf(const DotLoop &loop, unsigned trips);

} // namespace tegula
