// Kernels as TorchInductor writes them: an index over all elements of an array, taken apart into its places
// along each dimension, from which loads make indices of their own - broadcast, transposed, turned round,
// padded, enlarged, wrapped, looked up - and one or two such indices a kernel, the second to be reduced
// along. Sizes are numbers of the source, or arguments of 32 or 64 bits. What every index comes to is
// computed here as well, so that arrays are as large as needed.
#pragma once

#include "test/random/Writer.h"

#include <functional>

namespace tegula::random {

class ArrayKernel : Writer {
public:
  explicit ArrayKernel(uint64_t seed) : Writer(seed, Kind::Arrays) {}
  RandomKernel make();

private:
  /// An element of the kernel: where it is along the first and the second index.
  struct Point {
    int64_t x, r;
  };
  using Number = std::function<int64_t(Point)>;

  /// An integer that each element of the kernel has, as text and as a number.
  struct Place {
    std::string text;
    int64_t size; ///< it is at least 0 and below this
    Number at;
    bool byFirst = true, bySecond = false; ///< the indices that it comes from
  };

  /// Elements where something is true.
  struct Where {
    std::string text; ///< empty: everywhere
    std::function<bool(Point)> holds = [](Point) { return true; };
  };

  struct Index {
    std::vector<Place> places; ///< innermost first
    int64_t size = 1;
    std::string limit;
  };

  /// Offset of an element, computed from its places.
  struct Offset {
    std::string text;
    Number at;
    int64_t count = 1; ///< it is below this, unless a place is outside of its dimension
  };

  struct Value {
    std::string text;
    bool isFloat;
    double bound; ///< of a whole number
  };

  // ArrayPlaces.cpp: places, and what loads make of them.
  static Where both(const Where &a, const Where &b);
  static std::string masked(const Where &where) { return where.text.empty() ? "None" : where.text; }
  std::string number(int64_t value);
  Index split(const std::string &name, int mostDimensions, int64_t most);
  std::vector<Place> places() const;
  Where condition(const std::vector<Place> &of);
  Where existing(const std::vector<Place> &used) const;
  Where inside() const { return both(firstInside, secondInside); }
  Place changed(const Place &place, Where &where);
  Place changedNumber(const Place &place, Where &where);
  Place enlarged(const Place &place);
  Place lookedUp(const Place &place);
  Place viewed(const Place &inner, const Place &outer);
  Offset offsetOf(const std::vector<Place> &used, int64_t stride, bool hasGaps);

  // ArrayKernel.cpp: what is read, computed and written at them.
  void begin(int form);
  void beginRows();
  Value load();
  std::string input(ScalarKind type, int64_t count);
  double mostOfElement() const;
  Value combined(const Value &a, const Value &b);
  Value ofIntegers(const Value &a, const Value &b);
  Value value(int loads);
  std::string output(bool isFloat, int64_t count);
  void store(const Value &value);
  void reduce(bool inLoop);

  std::vector<std::string> lines; ///< that take the indices apart
  Index first, second;
  Where firstInside, secondInside; ///< the elements that there are
  std::string shape;               ///< of the elements of a program, or of a round of its loop
  int block = 1;                   ///< elements of a program along the first index
};

} // namespace tegula::random
